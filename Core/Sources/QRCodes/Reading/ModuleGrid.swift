/// Where each module of a symbol is in the picture.
///
/// Four corners say it for a flat symbol. A bend in each direction follows a page that curves, and shifts at the alignment
/// patterns follow what is left.
struct ModuleGrid {
    let version: Version
    /// Eight numbers for the corners and four for the bend, all in pixels.
    ///
    /// The corners' x and y in turn, clockwise from the upper left. Then how far the middle of the symbol is off the
    /// straight: x and y along a row, x and y along a column.
    private(set) var parameters: SIMD16<Float>
    /// How well dark and light alternate between the finders, from -1 to 1; 0 until this was measured.
    var timing: Float = 0
    private var homography: Homography
    private var shifts: [Place] = []
    private var centres: [Float] = []

    init(_ version: Version, _ homography: Homography) {
        self.version = version
        self.homography = homography
        let size = Float(version.size)
        let corners = [homography(0, 0), homography(size, 0), homography(size, size), homography(0, size)]
        parameters = SIMD16(repeating: 0)
        for (index, corner) in corners.enumerated() {
            parameters[2 * index] = corner.x
            parameters[2 * index + 1] = corner.y
        }
    }

    /// The pixel for a place in modules; the upper left corner of the symbol is 0, 0.
    func place(_ u: Float, _ v: Float) -> Place {
        var place = homography(u, v)
        let size = Float(version.size)
        let across = 4 * u * (size - u) / (size * size)
        let down = 4 * v * (size - v) / (size * size)
        place.x += parameters[8] * across + parameters[10] * down
        place.y += parameters[9] * across + parameters[11] * down
        return shifts.isEmpty ? place : place + shift(u, v)
    }

    /// The same grid with one parameter changed; nil when the corners make no quadrangle any more.
    func changed(_ index: Int, by amount: Float) -> ModuleGrid? {
        var result = self
        result.parameters[index] += amount
        guard index < 8 else { return result }
        guard let homography = Homography(size: Float(version.size), result.parameters) else { return nil }
        result.homography = homography
        return result
    }

    /// How many pixels a module is wide, about the middle of the symbol.
    var module: Float {
        let middle = Float(version.size) / 2
        let across = place(middle + 1, middle).distance(to: place(middle, middle))
        let down = place(middle, middle + 1).distance(to: place(middle, middle))
        return (across + down) / 2
    }

    /// Moves the grid so that the alignment patterns are where they were found.
    ///
    /// Each has a shift in pixels, row by row; points in between take a share of the four around.
    mutating func follow(_ shifts: [Place]) {
        self.shifts = shifts
        centres = version.alignmentCentres.map { Float($0) + 0.5 }
    }

    private func shift(_ u: Float, _ v: Float) -> Place {
        let (column, across) = cell(u)
        let (row, down) = cell(v)
        let start = row * centres.count + column
        let upper = shifts[start] * (1 - across) + shifts[start + 1] * across
        let lower = shifts[start + centres.count] * (1 - across) + shifts[start + centres.count + 1] * across
        return upper * (1 - down) + lower * down
    }

    /// The gap between centres that holds a coordinate, and the share of it that lies before; outside, the nearest centre.
    private func cell(_ coordinate: Float) -> (Int, Float) {
        var index = 0
        while index + 2 < centres.count, coordinate > centres[index + 1] { index += 1 }
        let share = (coordinate - centres[index]) / (centres[index + 1] - centres[index])
        return (index, max(0, min(1, share)))
    }
}
