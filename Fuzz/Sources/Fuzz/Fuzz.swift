import Encodings
import Foundation
import Fuzzing

/// The target that `FUZZ_TARGET` names.
private let target: FuzzTarget? = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    return FuzzTarget.named(Bytes(text: name))
}()

/// Called first by libFuzzer.
///
/// Without a target it lists all of them, each with the longest input worth trying.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    guard target == nil else { return 0 }
    let list = FuzzTarget.all.map { "\($0.name) \($0.maximumLength)\n" }.joined()
    FileHandle.standardOutput.write(Data(list.utf8))
    // Not `exit`, which libFuzzer takes for a finding.
    _exit(0)
}

/// Called by libFuzzer with each input; a broken promise is a finding like any trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target else { return 0 }
    do {
        try target.run(unsafe Bytes(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(target.name): not so: \(error.promise)")
    }
    return 0
}
