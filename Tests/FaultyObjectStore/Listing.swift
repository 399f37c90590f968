/// Answers to ListObjectsV2.
enum Listing {
    /// Names and values of a query.
    static func query(_ text: Substring) -> [String: String] {
        let pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts[0]), parts.count == 2 ? decoded(parts[1]) : "")
        }
        return Dictionary(pairs) { $1 }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2 else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? byte)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One page.
    ///
    /// A continuation token is the last key of the page before.
    static func page(
        of objects: [String: FaultyObjectStore.Object], _ query: [String: String], size: Int
    ) -> [UInt8] {
        let prefix = query["prefix"] ?? ""
        let after = query["continuation-token"] ?? query["start-after"]
        let keys = objects.keys.filter { key in key.hasPrefix(prefix) && (after.map { key > $0 } ?? true) }
        return Array(text(keys.sorted(), objects, size).utf8)
    }

    private static func text(_ keys: [String], _ objects: [String: FaultyObjectStore.Object], _ size: Int) -> String {
        let page = keys.prefix(size)
        let isTruncated = keys.count > page.count
        let contents = page.map { key in
            """
            <Contents><Key>\(key)</Key><LastModified>\(time(objects[key]?.modified ?? 0))</LastModified>\
            <ETag>&quot;x&quot;</ETag><Size>\(objects[key]?.bytes.count ?? 0)</Size></Contents>

            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
            <IsTruncated>\(isTruncated)</IsTruncated>
            \(isTruncated ? "<NextContinuationToken>\(page.last ?? "")</NextContinuationToken>" : "")
            \(contents.joined())</ListBucketResult>
            """
    }

    /// Only times of the days around 2026-09-21 are needed: what is older or younger by less than a day.
    private static func time(_ seconds: Int64) -> String {
        let start: Int64 = 1_789_948_800
        let (day, time) = ((seconds - start) / 86_400 + 21, (seconds - start) % 86_400)
        let padded = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return "2026-09-\(padded(day))T\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)).000Z"
    }
}
