/// Which pixels are dark, by a threshold that follows the light: each block of 8 x 8 pixels has its own.
///
/// Many hold the same one, so it is a class: copies of its arrays would be a part of the scanner's WebAssembly.
final class DarkMap {
    private static let side = 8

    let width: Int
    let height: Int
    /// From the picture's darkest shades to its lightest, two in a hundred pixels at each end aside.
    let range: Int
    /// 1 for dark, 0 for light.
    let cells: [UInt8]
    /// A pixel for each block.
    private let thresholds: GreyPicture

    init(_ picture: GreyPicture) {
        width = picture.width
        height = picture.height
        let side = Self.side
        let blockColumns = (width + side - 1) / side
        let blockRows = (height + side - 1) / side
        range = Self.range(picture)
        let levels = Self.levels(picture, blockColumns, blockRows, range)
        let thresholds = Self.averaged(levels, blockColumns, blockRows)
        self.thresholds = GreyPicture(checked: thresholds, blockColumns, blockRows)
        let pixels = picture.pixels
        var cells = [UInt8](repeating: 0, count: pixels.count)
        for row in 0..<height {
            for block in 0..<blockColumns {
                let threshold = thresholds[row / side * blockColumns + block]
                let start = row * width + block * side
                for index in start..<min(start + side, (row + 1) * width) {
                    cells[index] = pixels[index] < threshold ? 1 : 0
                }
            }
        }
        self.cells = cells
    }

    /// Whether the pixel is dark; outside of the picture none is.
    func isDark(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && y >= 0 && x < width && y < height && cells[y * width + x] == 1
    }

    /// Darker than this is dark: the threshold of the block that the place is in.
    func nearThreshold(_ place: Place) -> Float {
        let x = place.x > 0 ? min(place.x, Float(width - 1)) : 0
        let y = place.y > 0 ? min(place.y, Float(height - 1)) : 0
        return Float(thresholds.pixels[Int(y) / Self.side * thresholds.width + Int(x) / Self.side])
    }

    /// Darker than this is dark: between the thresholds of the four nearest blocks.
    func threshold(_ place: Place) -> Float { thresholds.grey(place * (1 / Float(Self.side))) }

    /// A level for each block by itself: its mean, or where it is all of one shade, what its neighbours say of that shade.
    private static func levels(_ picture: GreyPicture, _ columns: Int, _ rows: Int, _ range: Int) -> [Int] {
        // How far apart the shades of a block may be that shows one thing only.
        let flat = max(5, min(36, range / 5))
        let pixels = picture.pixels
        let width = picture.width
        var levels = [Int](repeating: 0, count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                var (sum, count) = (0, 0)
                var (lowest, highest): (UInt8, UInt8) = (255, 0)
                let right = min(column * side + side, width)
                for y in row * side..<min(row * side + side, picture.height) {
                    for index in y * width + column * side..<y * width + right {
                        let pixel = pixels[index]
                        sum &+= Int(pixel)
                        lowest = min(lowest, pixel)
                        highest = max(highest, pixel)
                    }
                    count += right - column * side
                }
                let (least, most) = (Int(lowest), Int(highest))
                let index = row * columns + column
                if most - least > flat {
                    levels[index] = sum / count
                    continue
                }
                // Paper, unless it is darker than what separates dark from light just before.
                var level = max(least / 2, least - range / 2)
                if row > 0, column > 0 {
                    let near = (levels[index - columns] + 2 * levels[index - 1] + levels[index - columns - 1]) / 4
                    if least < near { level = near }
                }
                levels[index] = level
            }
        }
        return levels
    }

    private static func range(_ picture: GreyPicture) -> Int {
        var counts = [Int](repeating: 0, count: 256)
        var total = 0
        for index in stride(from: 0, to: picture.pixels.count, by: 7) {
            counts[Int(picture.pixels[index])] += 1
            total += 1
        }
        let few = total / 50
        var (low, high, seen) = (0, 255, 0)
        while low < 255, seen + counts[low] <= few {
            seen += counts[low]
            low += 1
        }
        seen = 0
        while high > low, seen + counts[high] <= few {
            seen += counts[high]
            high -= 1
        }
        return high - low
    }

    /// The mean of five by five blocks around each.
    private static func averaged(_ levels: [Int], _ columns: Int, _ rows: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: levels.count)
        for row in 0..<rows {
            let top = max(0, min(row - 2, rows - 5))
            let bottom = min(rows, top + 5)
            for column in 0..<columns {
                let left = max(0, min(column - 2, columns - 5))
                let right = min(columns, left + 5)
                var sum = 0
                for y in top..<bottom {
                    for x in left..<right { sum += levels[y * columns + x] }
                }
                result[row * columns + column] = UInt8(truncatingIfNeeded: sum / ((bottom - top) * (right - left)))
            }
        }
        return result
    }
}
