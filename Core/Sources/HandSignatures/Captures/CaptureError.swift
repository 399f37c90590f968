/// Why something is no capture.
public enum CaptureError: Error, Equatable, Sendable {
    /// The file is not of that form; `line` counts from 1, 0 when the form has no lines.
    case malformed(line: Int)
    /// The file is longer than any capture, in bytes; it was not looked into.
    case tooLarge(limit: Int)
    /// The file names a unit, channel or version that is not known.
    case unknownUnit
    /// More samples than any signature has.
    case tooManySamples(Int)
    /// Too few to be a signature.
    case tooFewSamples(Int)
    /// A value that a sensor cannot have given.
    case outOfRange(sample: Int)
    /// The format that is to be written has no value for what the capture says there: `coarsened` may help.
    case inexact(sample: Int)
    /// Shorter than any signature.
    case tooShort
    /// Longer than any signature.
    case tooLong
    /// Most time steps do not go forward: the clock cannot be repaired.
    case brokenClock

    /// A name for programs, snake case.
    public var code: StaticString {
        switch self {
        case .malformed: "malformed_capture"
        case .tooLarge: "too_large"
        case .unknownUnit: "unknown_unit"
        case .tooManySamples: "too_many_samples"
        case .tooFewSamples: "too_few_samples"
        case .outOfRange: "out_of_range"
        case .inexact: "inexact"
        case .tooShort: "too_short"
        case .tooLong: "too_long"
        case .brokenClock: "broken_clock"
        }
    }

    /// What is wrong and what to do, for the signer.
    public var words: StaticString {
        switch self {
        case .malformed, .unknownUnit: "The signature did not arrive in a form that is known. Sign again."
        case .tooLarge, .tooManySamples: "The signature has more points than any signature. Sign again."
        case .tooFewSamples: "That is a dot rather than a signature. Sign as you always do."
        case .outOfRange: "The signature has a point outside the field. Sign again, inside the field."
        case .inexact: "The signature cannot be written in that format without loss."
        case .tooShort: "That was too quick for a signature. Sign as you always do."
        case .tooLong: "That took longer than a signature. Sign again, in one go."
        case .brokenClock: "The device's clock gives no usable times. Sign again, or on another device."
        }
    }
}
