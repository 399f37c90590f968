import Foundation

/// The terminal, if there is one: colours, questions, and passphrases without echo.
enum Terminal {
    /// Whether the output goes to a person.
    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether a person can answer.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 }

    /// How something is shown on a terminal; elsewhere it is plain.
    enum Style: String {
        case good = "32"
        case bad = "31"
        case doubtful = "33"
        case strong = "1"
        case faint = "2"
    }

    /// Text in a style, when the output is a terminal that wants colours.
    static func styled(_ text: String, _ style: Style) -> String {
        guard isInteractive, ProcessInfo.processInfo.environment["NO_COLOR"] == nil else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// A line to the person that is no part of the result.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Asks for a line of text.
    ///
    /// - Parameter flag: what to give where nobody can answer.
    static func ask(_ question: String, orGive flag: String) throws -> String {
        guard canAsk else { throw CommandError("there is no terminal to ask '\(question)'; give \(flag)") }
        FileHandle.standardError.write(Data("\(question): ".utf8))
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw CommandError("no answer; give \(flag)")
        }
        return line
    }

    /// Asks for a yes.
    ///
    /// Anything else is a no.
    static func confirm(_ question: String, yes: Bool) throws {
        guard !yes else { return }
        guard canAsk else { throw CommandError("there is no terminal to ask '\(question)'; give --yes") }
        guard agrees(question) else { throw CommandError("nothing was done", isRefusal: true) }
    }

    /// Asks for a yes or a no, where somebody can answer; anything that is no yes is a no.
    static func agrees(_ question: String) -> Bool {
        FileHandle.standardError.write(Data("\(question) [y/N] ".utf8))
        let answer = readLine(strippingNewline: true)?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Reads a line that is not shown.
    ///
    /// - Parameter flag: what to give where nobody can answer.
    static func askHidden(_ question: String, orGive flag: String = "--passphrase-file FILE") throws -> String {
        guard canAsk else { throw CommandError("there is no terminal to ask '\(question)'; give \(flag)") }
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { throw CommandError("the terminal gives no answer") }
        var hidden = settings
        hidden.c_lflag &= ~tcflag_t(ECHO)
        FileHandle.standardError.write(Data("\(question): ".utf8))
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw CommandError("the terminal cannot hide what you type; give \(flag)")
        }
        defer {
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            note("")
        }
        guard let line = readLine(strippingNewline: true) else { throw CommandError("no answer; give \(flag)") }
        return line
    }
}
