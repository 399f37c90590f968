#if !ONLY_P256
    import BrowserCalls
    import EllipticCurves
    import Encodings

    extension PicoBrowser {
        /// Identity keys on the curves that WebCrypto lacks: P-192 and secp192k1.
        ///
        /// A secret number travels as a blob, never as text, so that the page can overwrite it. The page also overwrites the
        /// memory of the module after each call (`Web/pico/old-curves.js`).
        static let oldKeys = [
            Function("key_make", ["curve", "random"], makeKey),
            Function("key_sign", ["curve", "random"], blobs: 2...2, signWithKey),
        ]

        /// Random bytes for four numbers, of which nearly always the first is in range.
        private static let randomForKey = 96
        /// The random bytes that go into the nonce of a signature.
        private static let randomForSignature = 32

        /// `{curve, random}`, 96 random bytes → `{publicKey}`, a point, and the secret number as a blob.
        private static func makeKey(_ call: Call) throws(BrowserError) -> Answer {
            let curve = try oldCurve(call)
            var random = try call.bytes("random", count: randomForKey)
            defer { random.wipe() }
            func take(_ count: Int) -> Bytes {
                guard random.count >= count else { return [] }
                let taken = Array(random.prefix(count))
                random.removeFirst(count)
                return taken
            }
            guard let key = try? ECPrivateKey.generate(on: curve, randomBytes: take) else {
                throw BrowserError("suite_failed", "The random bytes give no key.")
            }
            return Answer([("publicKey", .base64URL(key.publicKey.x963))], blobs: [key.secretScalar])
        }

        /// `{curve, random}`, 32 random bytes, with the secret number and what is signed as blobs → `{signature}`, r and s.
        ///
        /// The nonce is that of RFC 6979 with the random bytes added (section 3.6).
        private static func signWithKey(_ call: Call) throws(BrowserError) -> Answer {
            let curve = try oldCurve(call)
            let random = try call.bytes("random", count: randomForSignature)
            guard let key = try? ECPrivateKey(curve, scalar: call.blobs[0]) else {
                throw BrowserError("bad_key", "The first blob is no secret number of the curve.")
            }
            let signature = key.rawSignature(over: call.blobs[1], with: .sha256, additionalRandomness: random)
            return Answer([("signature", .base64URL(signature))])
        }

        private static func oldCurve(_ call: Call) throws(BrowserError) -> EllipticCurve {
            let curve = try call.curve()
            guard !curve.isOfWebCrypto else {
                throw BrowserError("old_curve", member: "curve", "is one whose keys WebCrypto makes.")
            }
            return curve
        }
    }
#endif
