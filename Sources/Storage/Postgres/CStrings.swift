/// Texts for functions of C that take a list of them with a null pointer at its end.
enum CStrings {
    static func with<T>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
    ) -> T {
        var bytes: [CChar] = []
        var starts: [Int] = []
        for text in texts {
            starts.append(bytes.count)
            bytes += text.utf8CString
        }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            let pointers = unsafe starts.map { unsafe bytes.baseAddress?.advanced(by: $0) } + [nil]
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}
