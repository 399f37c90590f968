import Encodings
import Interface
import Storage

/// Something that was done with a client: who did it, and what they had seen.
///
/// It is sealed, and the log commits to it by a salted digest: the opened act proves that it is the one.
struct DeskAct {
    var kind: ClientHistory.Kind
    var client: String
    var template: String
    var operatorID: String
    var operatorName: String
    var operatorUsername: String
    var paper: String
    /// Empty where nobody is asked why.
    var reason: String
    var circumstances: Circumstances
    /// The labels of changed fields, without values: an old one may be one that nobody is to know any more.
    var fields: [String]?
    var time: Int64
    /// 32 random bytes, base64url: without them nobody can try what the digest hides.
    var salt: String

    /// The sealed bytes, which the digest in the log covers.
    func canonical() throws -> Bytes {
        var members: [(String, JSON)] = [
            ("client", .text(client)), ("device", .text(circumstances.device)),
            ("identified", .bool(circumstances.identified)), ("kind", .text(kind.rawValue)),
            ("operator", operatorFacts), ("paper", .text(paper)), ("reason", .text(reason)), ("salt", .text(salt)),
            ("template", .text(template)), ("time", .integer(time)),
        ]
        if let place = circumstances.place { members.append(("place", place.facts)) }
        if let fields { members.append(("fields", .array(fields.map(JSON.text)))) }
        return try JSON.members(members).canonical()
    }

    var operatorFacts: JSON {
        .members([
            ("id", .text(operatorID)), ("name", .text(operatorName)), ("username", .text(operatorUsername)),
        ])
    }

    init(
        _ kind: ClientHistory.Kind, client: String, template: String, by account: Account, paper: String,
        reason: String, _ circumstances: Circumstances, fields: [String]? = nil, time: Int64, salt: String
    ) {
        self.kind = kind
        self.client = client
        self.template = template
        (operatorID, operatorName, operatorUsername) = (account.id, account.name, account.username)
        self.paper = paper
        self.reason = reason
        self.circumstances = circumstances
        self.fields = fields
        self.time = time
        self.salt = salt
    }

    init(_ bytes: Bytes) throws {
        guard let json = try? JSON.parse(bytes), let account = json["operator"],
            let kind = json.words("kind").flatMap({ ClientHistory.Kind(rawValue: $0) }),
            let client = json.words("client"),
            let template = json.words("template"), let id = account.words("id"), let name = account.words("name"),
            let username = account.words("username"), let paper = json.words("paper"),
            let reason = json.words("reason"), let device = json.words("device"), let salt = json.words("salt"),
            let time = json["time"]?.integer
        else { throw StoredValueError(column: "client_acts.sealed") }
        self.kind = kind
        self.client = client
        self.template = template
        (operatorID, operatorName, operatorUsername) = (id, name, username)
        self.paper = paper
        self.reason = reason
        circumstances = Circumstances(
            identified: json["identified"] == .bool(true), device: device,
            place: json["place"].flatMap { DevicePlace($0) })
        fields = json["fields"]?.array?.map { String(decoding: $0.string ?? [], as: UTF8.self) }
        self.time = time
        self.salt = salt
    }
}

extension JSON {
    /// A member that is text.
    func words(_ name: StaticString) -> String? {
        self[name]?.string.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension DevicePlace {
    /// As records say it.
    var facts: JSON {
        .members([
            ("accuracy_metres", .integer(accuracy)), ("latitude_millionths", .integer(latitude)),
            ("longitude_millionths", .integer(longitude)),
        ])
    }

    /// Reads ``facts``.
    init?(_ json: JSON) {
        guard let accuracy = json["accuracy_metres"]?.integer, let latitude = json["latitude_millionths"]?.integer,
            let longitude = json["longitude_millionths"]?.integer
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, accuracy: accuracy)
    }
}
