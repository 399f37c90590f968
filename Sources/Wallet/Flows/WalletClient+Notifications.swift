package import Interface

extension WalletClient {
    /// How the owner is told that something waits.
    package func notifications() async throws -> NotificationSettings {
        try await session().get("/api/notifications")
    }

    /// Switches a kind of notice on or off for a kind of way.
    package func setNotification(_ choice: NotificationSwitch) async throws -> NotificationSettings {
        try await session().put("/api/notifications/choices", choice)
    }

    /// Has a code sent to an e-mail address.
    package func addNotificationEmail(_ address: String) async throws -> NotificationWay {
        try await session().post("/api/notifications/email", NewEmailAddress(address: address))
    }

    /// Types the code that was sent.
    package func confirmNotificationEmail(_ id: String, code: String) async throws -> NotificationWay {
        try await session().post(
            "/api/notifications/email/\(ServerClient.segment(id))/confirm", EmailConfirmation(code: code))
    }

    /// Removes a way.
    package func removeNotificationWay(_ id: String) async throws {
        try await session().delete("/api/notifications/ways/\(ServerClient.segment(id))")
    }
}
