/// One page of an answer to ListObjectsV2 (Amazon S3 API Reference).
struct S3Listing: Equatable {
    /// Keys, whole.
    let objects: [BlobInfo]
    /// The token that asks for the next page; `nil` on the last.
    let continuation: String?

    /// Reads an answer.
    init(_ bytes: [UInt8]) throws(S3Failure) {
        guard let root = try? SmallXML(bytes), root.name == "ListBucketResult",
            let isTruncated = root.child("IsTruncated")?.text, ["true", "false"].contains(isTruncated)
        else { throw .malformedListing }
        var objects: [BlobInfo] = []
        for entry in root.children where entry.name == "Contents" {
            guard let key = entry.child("Key")?.text, !key.isEmpty,
                let size = entry.child("Size").flatMap({ Int64($0.text) }), size >= 0,
                let modified = entry.child("LastModified").flatMap({ AWSTime($0.text) })
            else { throw .malformedListing }
            objects.append(BlobInfo(name: key, size: size, modified: modified.seconds))
        }
        self.objects = objects
        continuation = isTruncated == "true" ? root.child("NextContinuationToken")?.text : nil
        guard isTruncated == "false" || continuation?.isEmpty == false else { throw .malformedListing }
    }
}
