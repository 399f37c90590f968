import HTTPTypes
import Interface

/// A person's ways to be told something.
struct NotificationRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let service = NotificationService(environment: environment)
        let codes = NotificationCodeService(environment: environment)
        routes.secured(
            .get, "/api/notifications", "How you are told that something waits", .ownAccount,
            answers: NotificationSettings.self
        ) { _, principal in try await service.settings(principal) }
        routes.secured(
            .put, "/api/notifications/choices", "Switch a kind of notice on or off for a kind of way", .ownAccount,
            takes: NotificationSwitch.self, answers: NotificationSettings.self
        ) { request, _, principal in try await service.set(request, principal) }
        routes.secured(
            .put, "/api/notifications/push", "Let this browser be told, through its push service", .ownAccount,
            takes: NewPushSubscription.self, answers: NotificationWay.self, problems: [.conflict]
        ) { request, _, principal in try await service.subscribe(request, principal) }
        routes.secured(
            .post, "/api/notifications/email", "Send a code to an e-mail address that shall get notices", .ownAccount,
            confirmed: true, takes: NewEmailAddress.self, answers: NotificationWay.self, status: .created,
            problems: [.conflict, .busy]
        ) { request, _, principal in try await codes.add(request, principal) }
        routes.secured(
            .post, "/api/notifications/email/{id}/confirm", "Type the code that was sent to an address", .ownAccount,
            takes: NotificationCode.self, answers: NotificationWay.self, problems: [.notFound, .wrongCode]
        ) { request, call, principal in
            try await codes.confirm(try call.parameter("id"), request, .email, principal)
        }
        routes.secured(
            .post, "/api/notifications/phone", "Send a code to a phone number that shall get notices", .ownAccount,
            confirmed: true, takes: NewPhoneNumber.self, answers: NotificationWay.self, status: .created,
            problems: [.conflict, .busy]
        ) { request, _, principal in try await codes.add(request, principal) }
        routes.secured(
            .post, "/api/notifications/phone/{id}/confirm", "Type the code that was sent to a phone number",
            .ownAccount, takes: NotificationCode.self, answers: NotificationWay.self,
            problems: [.notFound, .wrongCode]
        ) { request, call, principal in
            try await codes.confirm(try call.parameter("id"), request, .sms, principal)
        }
        routes.secured(
            .put, "/api/notifications/ways/{id}/content", "Whether notices say what they are about, by one way",
            .ownAccount, takes: NotificationContent.self, answers: NotificationWay.self, problems: [.notFound]
        ) { request, call, principal in
            try await service.setContent(try call.parameter("id"), request, principal)
        }
        // The right to remove an address is worth a confirmation: it gets the notices about the account's protection.
        routes.secured(
            .delete, "/api/notifications/ways/{id}", "Remove a way to be told", .ownAccount, confirmed: true,
            answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await service.remove(try call.parameter("id"), principal)
            return NoContent()
        }
    }
}
