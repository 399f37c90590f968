/// The texts of a report for people: the English, which is the key of its translation.
enum SigningReportText: String, CaseIterable {
    case title = "Signing by hand: transaction {0}"
    case kind = "report of a signature by hand"
    case wasConfirmed = "✓ Confirmed on {0}"
    case wasRefused = "✗ Refused on {0}"

    case partiesTitle = "Who signed what"
    case client = "Client"
    case number = "Identity number"
    case signed = "Signed"
    case signedAt = "Signed at"
    case signingOperator = "Operator"
    case identified = "Who it is"
    case wasIdentified = "The operator said that they had checked it."
    case enrolled = "Enrolled"
    case enrolledBy = "{0}, by {1}"
    case enrolledByNobody = "{0}, by an operator who is not on record"
    case paper = "ID document seen at the enrolment"
    case enrolmentEntry = "The enrolment in the log"
    case entry = "entry {0}"
    case enrolmentDigest = "SHA-256 of the enrolment's act"
    case decision = "Decision"
    case confirmedAt = "confirmed at {0}"
    case refusedAt = "refused at {0}"
    case reason = "Reason"
    case document = "Document"
    case version = "version {0}, {1}"
    case documentDigest = "SHA-256 of its bytes"
    case transaction = "Transaction"
    case device = "Device"
    case place = "Place, as the device gave it"
    case placeWithin = "{0}, {1}, within {2} m"

    case signedTextTitle = "What was signed, with the signature"
    case signatureTitle = "The signature"
    case photograph = "Photograph of the signer"
    case photographConsent = "Taken with the signer's consent."

    case comparisonTitle = "The comparison"
    case score = "Comparison score"
    case threshold = "Threshold"
    case difference = "Difference"
    case method = "Method"
    case modelDigest = "SHA-256 of the model"
    case template = "Template of the client"
    case madeOn = "made on {0}"
    case scoreMeaning = """
        The score says how unlike the movement is to five signatures that this client gave when an operator had checked \
        their identity. At or below the threshold it counts as the client's own.
        """
    case otherDevice = "Another device."

    case movementTitle = "The movement"
    case curves = """
        <span class="key probe">this signature</span> <span class="key reference">the nearest of the client's own</span>, \
        laid against each other so that like parts stand side by side. Each curve is in deviations from its mean.
        """

    case errorsTitle = "How often such a comparison errs"
    case errorRates = """
        At this threshold, of 10,000 signatures {0} genuine ones would be refused, {1} forgeries by people who had \
        practised accepted, and {2} accepted of people who did not try to imitate. So a signature that counts as the \
        client's own may be a practised forgery, and one that does not may be genuine: the figures speak for or against, \
        they prove nothing alone.
        """
    case measuredHere = """
        Measured by this organisation, which has installed a model of its own: {0}. The dot is this threshold.
        """
    case measuredElsewhere = """
        Measured on research sets, with models that had not learnt from the people judged, not on this organisation's \
        devices: {0}. The dot is this threshold.
        """

    case checkingTitle = "How to check this report"
    case checking = """
        This page has a detached signature (a file <code>.jws</code>), and there is a report for programs, JSON, with the \
        same content and the log's receipt. With the organisation's root certificate you can check it without a network \
        and without asking the organisation:
        """
    case root = "Root, SHA-256"
    case logEntry = "Entry in the log"
    case drawingDigest = "SHA-256 of the picture"
    case movementDigest = "SHA-256 of the raw movement"
    case rawMovement = """
        The raw movement is sealed to a key that is kept offline. The holder of that key opens the movement with \
        <code>countersign admin forensic open</code>. The log records every hand-over.
        """
    /// A set of signatures that error rates were measured on.
    case set = "{0}: {1} users, {2} probes"
}
