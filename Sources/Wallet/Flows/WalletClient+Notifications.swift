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

    /// Has a code sent to a phone number.
    package func addNotificationPhone(_ number: String) async throws -> NotificationWay {
        try await session().post("/api/notifications/phone", NewPhoneNumber(number: number))
    }

    /// Types the code that was sent to an e-mail address or a phone number.
    package func confirmNotificationWay(_ id: String, code: String) async throws -> NotificationWay {
        let settings = try await notifications()
        let place = settings.ways.contains { $0.id == id && $0.kind == .sms } ? "phone" : "email"
        return try await session().post(
            "/api/notifications/\(place)/\(ServerClient.segment(id))/confirm", NotificationCode(code: code))
    }

    /// Switches whether notices say what they are about, by one way.
    package func setNotificationContent(_ id: String, isOn: Bool) async throws -> NotificationWay {
        try await session().put(
            "/api/notifications/ways/\(ServerClient.segment(id))/content", NotificationContent(isOn: isOn))
    }

    /// Removes a way.
    package func removeNotificationWay(_ id: String) async throws {
        try await session().delete("/api/notifications/ways/\(ServerClient.segment(id))")
    }
}
