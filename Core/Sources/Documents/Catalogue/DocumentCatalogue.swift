public import Encodings

/// The types of documents that Countersign issues.
///
/// A single name is the family name, as in passports.
public enum DocumentCatalogue {
    /// All types, the identity credential last.
    public static let types: [CatalogueType] = [transcript, degree, employment, generic, identity]

    /// The type of this name, or `nil` when there is none.
    public static func type(named name: Bytes) -> CatalogueType? {
        types.first { name.equals(text: $0.name) }
    }

    /// Marks, course by course.
    public static let transcript = CatalogueType(
        name: "transcript", title: "Transcript of records", titles: .words("Leistungsnachweis", "كشف الدرجات"),
        isIssuedOnRequest: true,
        fields: [
            may("given_name", "Given name", .words("Vorname", "الاسم الأول"), .text),
            must("family_name", "Family name", .words("Familienname", "اسم العائلة"), .text),
            may("date_of_birth", "Date of birth", .words("Geburtsdatum", "تاريخ الميلاد"), .date),
            must("student_number", "Student number", .words("Matrikelnummer", "الرقم الجامعي"), .text),
            must("programme", "Programme", .words("Studiengang", "البرنامج الدراسي"), .text),
            must(
                "courses", "Courses", .words("Kurse", "المقررات"),
                .list([
                    must("code", "Code", .words("Kürzel", "الرمز"), .text),
                    must("title", "Title", .words("Titel", "العنوان"), .text),
                    must("credits", "Credits", .words("Leistungspunkte", "الساعات المعتمدة"), .number),
                    must("grade", "Grade", .words("Note", "الدرجة"), .text),
                ])),
            must(
                "credits_total", "Credits in total", .words("Leistungspunkte insgesamt", "مجموع الساعات المعتمدة"),
                .number),
            may("grade_average", "Average grade", .words("Durchschnittsnote", "المعدّل"), .number),
            may("period_start", "From", .words("Von", "من"), .date),
            may("period_end", "To", .words("Bis", "إلى"), .date),
        ])

    /// A degree that was conferred.
    public static let degree = CatalogueType(
        name: "degree", title: "Degree certificate", titles: .words("Abschlusszeugnis", "شهادة التخرّج"),
        isIssuedOnRequest: true,
        fields: [
            may("given_name", "Given name", .words("Vorname", "الاسم الأول"), .text),
            must("family_name", "Family name", .words("Familienname", "اسم العائلة"), .text),
            may("date_of_birth", "Date of birth", .words("Geburtsdatum", "تاريخ الميلاد"), .date),
            may("student_number", "Student number", .words("Matrikelnummer", "الرقم الجامعي"), .text),
            must("degree", "Degree", .words("Abschluss", "الدرجة العلمية"), .text),
            must("field_of_study", "Field of study", .words("Fachrichtung", "التخصص"), .text),
            may("honours", "Honours", .words("Auszeichnung", "مرتبة الشرف"), .text),
            must("conferred_on", "Conferred on", .words("Verliehen am", "تاريخ المنح"), .date),
        ])

    /// A person's work for the organisation.
    public static let employment = CatalogueType(
        name: "employment", title: "Certificate of employment", titles: .words("Arbeitszeugnis", "شهادة عمل"),
        isIssuedOnRequest: true,
        fields: [
            may("given_name", "Given name", .words("Vorname", "الاسم الأول"), .text),
            must("family_name", "Family name", .words("Familienname", "اسم العائلة"), .text),
            may("date_of_birth", "Date of birth", .words("Geburtsdatum", "تاريخ الميلاد"), .date),
            must("position", "Position", .words("Stelle", "الوظيفة"), .text),
            may("department", "Department", .words("Abteilung", "القسم"), .text),
            must("started_on", "Started on", .words("Beginn", "تاريخ البدء"), .date),
            may("ended_on", "Ended on", .words("Ende", "تاريخ الانتهاء"), .date),
            may("weekly_hours", "Hours a week", .words("Stunden pro Woche", "ساعات العمل في الأسبوع"), .number),
            may("remarks", "Remarks", .words("Bemerkungen", "ملاحظات"), .text),
        ])

    /// Anything else.
    public static let generic = CatalogueType(
        name: "generic", title: "Other document", titles: .words("Anderes Dokument", "مستند آخر"),
        isIssuedOnRequest: true,
        fields: [
            must("title", "Title", .words("Titel", "العنوان"), .text),
            may("given_name", "Given name", .words("Vorname", "الاسم الأول"), .text),
            may("family_name", "Family name", .words("Familienname", "اسم العائلة"), .text),
            may("statement", "Statement", .words("Aussage", "البيان"), .text),
            may("reference", "Reference", .words("Zeichen", "المرجع"), .text),
            may("valid_from", "Valid from", .words("Gültig ab", "صالح من"), .date),
            may("valid_until", "Valid until", .words("Gültig bis", "صالح حتى"), .date),
        ])

    /// Who the holder is, as seen face to face.
    public static let identity = CatalogueType(
        name: "identity", title: "Identity credential", titles: .words("Identitätsnachweis", "وثيقة هوية رقمية"),
        isIssuedOnRequest: false,
        fields: [
            may("given_name", "Given name", .words("Vorname", "الاسم الأول"), .text),
            must("family_name", "Family name", .words("Familienname", "اسم العائلة"), .text),
            may("date_of_birth", "Date of birth", .words("Geburtsdatum", "تاريخ الميلاد"), .date),
            may("member_number", "Member number", .words("Mitgliedsnummer", "رقم العضوية"), .text),
            may("email", "E-mail address", .words("E-Mail-Adresse", "البريد الإلكتروني"), .text),
            must(
                "identity_paper", "ID document seen", .words("Vorgelegter Ausweis", "وثيقة الهوية التي شوهدت"), .text
            ),
            must("checked_on", "Checked on", .words("Geprüft am", "تاريخ التحقق"), .date),
            may("checked_by", "Checked by", .words("Geprüft von", "تحقّق منه"), .text),
        ])

    private static func must(
        _ name: String, _ label: String, _ labels: [CatalogueLabel], _ kind: CatalogueField.Kind
    ) -> CatalogueField {
        CatalogueField(name: name, label: label, labels: labels, kind: kind, isMandatory: true)
    }

    private static func may(
        _ name: String, _ label: String, _ labels: [CatalogueLabel], _ kind: CatalogueField.Kind
    ) -> CatalogueField {
        CatalogueField(name: name, label: label, labels: labels, kind: kind, isMandatory: false)
    }
}
