import HTTPTypes
import Hummingbird
import Interface
import NIOCore

/// A list as a file (`format=csv`): read and sent page by page, as fast as the reader takes it.
///
/// It has the rows that were there when it began and are there when their page is read, each once. If it ends early
/// (the session ends, the permission goes, the database is away), the connection is cut before the body's last chunk,
/// so half a file never passes for a whole one.
struct TableFile<Row: TableRow> {
    /// Without the ending.
    let name: String
    let call: Call
    let permission: Permission?
    let columns: [TableColumn<Row>]
    /// Reads one page.
    let page: @Sendable (ListRequest) async throws -> Listing<Row>

    /// The answer; what is wrong with the question is thrown before it begins.
    func response(_ request: ListRequest) async throws -> Response {
        guard call.query("cursor") == nil, call.query("limit") == nil else {
            throw Problem(.badRequest, "format: a file has all rows; leave out `cursor` and `limit`.")
        }
        guard let place = call.shell.tableFiles.take(for: call.context.principal?.account ?? call.address) else {
            throw Problem(.busy, "Too many lists are being saved. Try again in a moment.", retryAfter: 2)
        }
        var request = request
        request.limit = Limits.listing
        let first = try await page(request)
        let body = ResponseBody.stepwise(to: call) { [request] writer in
            defer { withExtendedLifetime(place) {} }
            try await writer.write(ByteBuffer(string: CSVText.line(columns.map(\.name))))
            var (request, listing) = (request, first)
            while true {
                try await writer.write(ByteBuffer(string: text(listing.items)))
                guard let next = listing.next.flatMap(ListCursor.init(text:)) else { break }
                request.cursor = next
                try await call.mayGoOn(permission)
                listing = try await page(request)
            }
        }
        let headers: HTTPFields = [
            .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"\(name).csv\"",
        ]
        return Response(status: .ok, headers: headers, body: body)
    }

    private func text(_ rows: [Row]) -> String {
        rows.map { row in CSVText.line(columns.map { $0.text(row) }) }.joined()
    }
}

/// How a list is answered: the values of the parameter `format`.
enum ListFormat: String, ListChoice {
    /// One page.
    case json
    /// All rows.
    case csv
}
