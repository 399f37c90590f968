import Certificates
import Encodings
import Transparency

/// The university that does not exist, whose documents the corpus holds: the same as in the tests of `Verification`.
enum WholeFile {
    /// Seconds since 1970: when its documents are shown.
    static let time: Int64 = 1_790_003_700

    static let root: TrustAnchor? = {
        guard let der = Base64.decode(Bytes(text: rootText), .url) else { return nil }
        return try? TrustAnchor(der: der)
    }()

    static let policy = try? LogPolicy.read(
        Bytes(text: "university.example/log+ee0961e7+AZsfhHkc/HZjBFhU04netcqVRJ2HXydqg4QLBgqznPxx"))

    private static let rootText =
        "MIIB-DCCAZ6gAwIBAgIQLck5vkAVGtQoUga-rRnruzAKBggqhkjOPQQDAjBHMSQwIgYDVQQDDBtVbml2ZXJzaXR5IG9mIEV4YW1w"
        + "bGVzIFJvb3QxHzAdBgNVBAoMFlVuaXZlcnNpdHkgb2YgRXhhbXBsZXMwHhcNMjUwOTIxMTQxMzIwWhcNMzUwOTE5MTQxMzIwWjBH"
        + "MSQwIgYDVQQDDBtVbml2ZXJzaXR5IG9mIEV4YW1wbGVzIFJvb3QxHzAdBgNVBAoMFlVuaXZlcnNpdHkgb2YgRXhhbXBsZXMwWTAT"
        + "BgcqhkjOPQIBBggqhkjOPQMBBwNCAARy_pjdt49xSTr12ZF7eOX7ADMXkWtUTeE4HfptP_V6fLsTRzwU1oN2YmTPl1k_CBYsGE4p"
        + "-lYVUT3jVQZi4VQ7o2wwajASBgNVHRMBAf8ECDAGAQH_AgEBMA4GA1UdDwEB_wQEAwIBBjAdBgNVHQ4EFgQUjmkl8y7lGLM4fwDo"
        + "pvb-0OpR4HswJQYDVR0RBB4wHIYaaHR0cHM6Ly91bml2ZXJzaXR5LmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIhAJrN3n44D7bu"
        + "8yQpOJL6DszBWd4ert6ARfM7AJROir09AiAkFcfFrPVbEXGsBiqgC08Q2msz43hng5JeYA1uhw7P1g"
}
