import Encodings
import Testing

@testable import Documents

@Suite("A request for a document")
struct RequestLifecycleTests {
    static let member: Bytes = [1]
    static let ada: Bytes = [2]
    static let bob: Bytes = [3]

    func request(_ state: RequestLifecycle.State, handledBy administrator: Bytes? = nil) -> RequestLifecycle {
        RequestLifecycle(state: state, member: Self.member, administrator: administrator)
    }

    @Test("is only for members who were checked face to face")
    func unverified() {
        #expect(throws: RequestError.notVerified) {
            try RequestLifecycle.open(member: Self.member, isVerified: false, isOnCatalogue: true)
        }
        #expect(throws: RequestError.unknownType) {
            try RequestLifecycle.open(member: Self.member, isVerified: true, isOnCatalogue: false)
        }
    }

    @Test("goes from pending over accepted to issued")
    func happyPath() throws {
        var request = try RequestLifecycle.open(member: Self.member, isVerified: true, isOnCatalogue: true)
        try request.accept(by: Self.ada)
        try request.issue(by: Self.ada)
        #expect(request.state == .issued)
        #expect(request.administrator == Self.ada)
    }

    @Test("cannot be accepted twice", arguments: [RequestLifecycle.State.accepted, .cancelled, .issued])
    func acceptOnce(state: RequestLifecycle.State) {
        var request = request(state, handledBy: Self.ada)
        #expect(throws: RequestError.wrongState) { try request.accept(by: Self.bob) }
        #expect(request.administrator == Self.ada)
    }

    @Test("is signed only by the administrator who handles it")
    func signedByItsAdministrator() throws {
        var request = request(.accepted, handledBy: Self.ada)
        #expect(throws: RequestError.handledByAnother) { try request.issue(by: Self.bob) }
        try request.assign(to: Self.bob)
        try request.issue(by: Self.bob)
        #expect(throws: RequestError.wrongState) { try request.issue(by: Self.bob) }
    }

    @Test("is never signed before it was accepted")
    func pendingIsNotSigned() {
        #expect(throws: RequestError.wrongState) { try request(.pending).checkSigning(by: Self.ada) }
    }

    @Test("is cancelled by its member or an administrator, with a reason, while it is open")
    func cancelling() throws {
        var request = request(.pending)
        #expect(throws: RequestError.notYours) {
            try request.cancel(by: Self.bob, isAdministrator: false, hasReason: true)
        }
        #expect(throws: RequestError.reasonMissing) {
            try request.cancel(by: Self.member, isAdministrator: false, hasReason: false)
        }
        try request.cancel(by: Self.bob, isAdministrator: true, hasReason: true)
        #expect(throws: RequestError.wrongState) {
            try request.cancel(by: Self.member, isAdministrator: false, hasReason: true)
        }
        #expect(throws: RequestError.wrongState) { try request.assign(to: Self.ada) }
    }
}

@Suite("A face-to-face check")
struct EnrolmentLifecycleTests {
    static let holder: Bytes = [1]
    static let ada: Bytes = [2]
    static let bob: Bytes = [3]
    static let nonce = Bytes(repeating: 7, count: 32)

    func check(_ state: EnrolmentLifecycle.State, by administrator: Bytes? = nil) -> EnrolmentLifecycle {
        EnrolmentLifecycle(
            state: state, holder: Self.holder, commitment: SHA256.hash(Self.nonce), expires: 100,
            administrator: administrator)
    }

    @Test("takes its steps in turn")
    func happyPath() throws {
        var check = check(.open)
        try check.claim(by: Self.ada, now: 1)
        try check.answer(by: Self.holder, nonce: Self.nonce, now: 2)
        try check.complete(by: Self.ada, now: 3)
        #expect(check.state == .completed)
    }

    @Test("refuses a nonce that the code did not commit to")
    func brokenCommitment() {
        var check = check(.claimed, by: Self.ada)
        #expect(throws: EnrolmentError.brokenCommitment) {
            try check.answer(by: Self.holder, nonce: Bytes(repeating: 8, count: 32), now: 1)
        }
        #expect(check.state == .claimed)
    }

    @Test("cannot be taken over by a second administrator")
    func takeOver() {
        var claimed = check(.claimed, by: Self.ada)
        #expect(throws: EnrolmentError.wrongState) { try claimed.claim(by: Self.bob, now: 1) }
        var answered = check(.answered, by: Self.ada)
        #expect(throws: EnrolmentError.notYours) { try answered.complete(by: Self.bob, now: 1) }
    }

    @Test("is not of oneself, and not answered by anybody else")
    func oneself() {
        var open = check(.open)
        #expect(throws: EnrolmentError.notYours) { try open.claim(by: Self.holder, now: 1) }
        var claimed = check(.claimed, by: Self.ada)
        #expect(throws: EnrolmentError.notYours) { try claimed.answer(by: Self.bob, nonce: Self.nonce, now: 1) }
    }

    @Test("is never completed before the holder has answered")
    func skipping() {
        var check = check(.claimed, by: Self.ada)
        #expect(throws: EnrolmentError.wrongState) { try check.complete(by: Self.ada, now: 1) }
    }

    @Test("ends at its time", arguments: [Int64(100), 101])
    func expiry(now: Int64) {
        var open = check(.open)
        #expect(throws: EnrolmentError.expired) { try open.claim(by: Self.ada, now: now) }
        var claimed = check(.claimed, by: Self.ada)
        #expect(throws: EnrolmentError.expired) {
            try claimed.answer(by: Self.holder, nonce: Self.nonce, now: now)
        }
        var answered = check(.answered, by: Self.ada)
        #expect(throws: EnrolmentError.expired) { try answered.complete(by: Self.ada, now: now) }
    }

    @Test("is given up by either side, once")
    func abandoning() throws {
        var check = check(.claimed, by: Self.ada)
        #expect(throws: EnrolmentError.notYours) { try check.abandon(by: Self.bob) }
        try check.abandon(by: Self.ada)
        #expect(throws: EnrolmentError.wrongState) { try check.abandon(by: Self.holder) }
    }
}
