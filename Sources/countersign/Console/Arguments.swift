public import ArgumentParser
public import Interface

// Values of the interface that are typed as arguments, spelt as on the wire.
extension Role: ExpressibleByArgument {}
extension Capability: ExpressibleByArgument {}
extension IdentityPaper: ExpressibleByArgument {}
extension DocumentRequest.State: ExpressibleByArgument {}
extension ApprovalDenial.Reason: ExpressibleByArgument {}
extension ApprovalDenial.Scope: ExpressibleByArgument {}
