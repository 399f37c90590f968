package import HandSignatures
package import Interface

extension ComparedDevice {
    /// What is said of a recording's device.
    package init(_ fit: DeviceFit, _ traits: RecordingTraits) {
        let kind =
            "\(traits.tool == .pen ? "pen" : "finger"), \(traits.rate) samples a second, "
            + (traits.tellsPressure ? "with pressure" : "without pressure")
        switch fit {
        case .alike:
            self.init(
                fit: .alike,
                sentence: "The model has learnt from devices like this one (\(kind)), as far as a recording tells.")
        case .other:
            self.init(
                fit: .other,
                sentence:
                    "The model has not learnt from a device like this one (\(kind)). Its threshold and its error rates "
                    + "come from other devices.")
        case .unknown:
            self.init(
                fit: .unknown,
                sentence: "The model does not say which devices it has learnt from. This recording: \(kind).")
        }
    }
}
