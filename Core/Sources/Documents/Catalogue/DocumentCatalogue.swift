public import Encodings

/// The types of documents that Countersign issues.
///
/// Whoever has a single name has it as family name, as passports do.
public enum DocumentCatalogue {
    /// All types, the identity credential last.
    public static let types: [CatalogueType] = [transcript, degree, employment, generic, identity]

    /// The type of this name, or `nil` when there is none.
    public static func type(named name: Bytes) -> CatalogueType? {
        types.first { name.equals(text: $0.name) }
    }

    /// Marks, course by course.
    public static let transcript = CatalogueType(
        name: "transcript", title: "Transcript of records", isIssuedOnRequest: true,
        fields: [
            may("given_name", "Given name", .text),
            must("family_name", "Family name", .text),
            may("date_of_birth", "Date of birth", .date),
            must("student_number", "Student number", .text),
            must("programme", "Programme", .text),
            must(
                "courses", "Courses",
                .list([
                    must("code", "Code", .text), must("title", "Title", .text), must("credits", "Credits", .number),
                    must("grade", "Grade", .text),
                ])),
            must("credits_total", "Credits in total", .number),
            may("grade_average", "Average grade", .number),
            may("period_start", "From", .date),
            may("period_end", "To", .date),
        ])

    /// A degree that was conferred.
    public static let degree = CatalogueType(
        name: "degree", title: "Degree certificate", isIssuedOnRequest: true,
        fields: [
            may("given_name", "Given name", .text),
            must("family_name", "Family name", .text),
            may("date_of_birth", "Date of birth", .date),
            may("student_number", "Student number", .text),
            must("degree", "Degree", .text),
            must("field_of_study", "Field of study", .text),
            may("honours", "Honours", .text),
            must("conferred_on", "Conferred on", .date),
        ])

    /// A person's work for the organisation.
    public static let employment = CatalogueType(
        name: "employment", title: "Certificate of employment", isIssuedOnRequest: true,
        fields: [
            may("given_name", "Given name", .text),
            must("family_name", "Family name", .text),
            may("date_of_birth", "Date of birth", .date),
            must("position", "Position", .text),
            may("department", "Department", .text),
            must("started_on", "Started on", .date),
            may("ended_on", "Ended on", .date),
            may("weekly_hours", "Hours a week", .number),
            may("remarks", "Remarks", .text),
        ])

    /// Anything else.
    public static let generic = CatalogueType(
        name: "generic", title: "Other document", isIssuedOnRequest: true,
        fields: [
            must("title", "Title", .text),
            may("given_name", "Given name", .text),
            may("family_name", "Family name", .text),
            may("statement", "Statement", .text),
            may("reference", "Reference", .text),
            may("valid_from", "Valid from", .date),
            may("valid_until", "Valid until", .date),
        ])

    /// Who the holder is, as seen face to face.
    public static let identity = CatalogueType(
        name: "identity", title: "Identity credential", isIssuedOnRequest: false,
        fields: [
            may("given_name", "Given name", .text),
            must("family_name", "Family name", .text),
            may("date_of_birth", "Date of birth", .date),
            may("member_number", "Member number", .text),
            may("email", "E-mail address", .text),
            must("identity_paper", "Identity paper seen", .text),
            must("checked_on", "Checked on", .date),
            may("checked_by", "Checked by", .text),
        ])

    private static func must(_ name: String, _ label: String, _ kind: CatalogueField.Kind) -> CatalogueField {
        CatalogueField(name: name, label: label, kind: kind, isMandatory: true)
    }

    private static func may(_ name: String, _ label: String, _ kind: CatalogueField.Kind) -> CatalogueField {
        CatalogueField(name: name, label: label, kind: kind, isMandatory: false)
    }
}
