import Encodings
package import Interface

/// The way back to services for somebody who has lost every wallet that answers them.
extension WalletClient {
    /// What there is: codes, and a waiting time that was begun.
    package func approvalRecovery() async throws -> ApprovalRecovery { try await session().approvalRecovery() }

    /// Makes recovery codes; those before end.
    package func makeApprovalRecoveryCodes() async throws -> (codes: ApprovalRecoveryCodes, act: LoggedAct) {
        let codes = try await session().makeApprovalRecoveryCodes()
        return (codes, try await check(codes.receipt, "approval_recovery.codes_made", []))
    }

    /// Begins to wait.
    package func beginApprovalRecovery() async throws -> ApprovalRecovery {
        try await session().beginApprovalRecovery()
    }

    /// Ends the waiting, whichever device began it.
    package func endApprovalRecovery() async throws -> ApprovalRecovery { try await session().endApprovalRecovery() }
}

extension ServerClient {
    func approvalRecovery() async throws -> ApprovalRecovery { try await get("/api/approvals/recovery") }
    func makeApprovalRecoveryCodes() async throws -> ApprovalRecoveryCodes {
        try await post("/api/approvals/recovery/codes")
    }
    func beginApprovalRecovery() async throws -> ApprovalRecovery { try await post("/api/approvals/recovery") }
    func endApprovalRecovery() async throws -> ApprovalRecovery { try await delete("/api/approvals/recovery") }
}
