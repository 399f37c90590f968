import CryptoProvider
import Encodings
import Testing
import Transparency

@testable import Server

@Suite("Tiles that proofs remember")
struct TileCacheTests {
    private static func content(_ index: UInt64, width: Int = 256) throws -> TileContent {
        let tile = try #require(Tile(.hashes(level: 0), index: index, width: width))
        return TileContent(tile: tile, bytes: Bytes(repeating: UInt8(index), count: 32 * width))
    }

    @Test("what was not used while others came is forgotten; what was used stays")
    func bound() throws {
        let suite = SwiftCryptoSuite()
        // Two full tiles in each half.
        let cache = TileCache(bound: 4 * 16_384)
        let contents = try (0..<4).map { try Self.content($0) }
        for content in contents[..<3] { cache.remember(content) }
        let first = try TileNodes(tile: contents[0].bytes, suite: suite)
        #expect(try cache.nodes(of: contents[0].tile, suite: suite) == first)
        cache.remember(contents[3])
        let known = try contents.map { try cache.nodes(of: $0.tile, suite: suite) != nil }
        #expect(known == [true, false, true, true])
    }

    @Test("a wider or narrower form of a tile is another")
    func width() throws {
        let cache = TileCache()
        let suite = SwiftCryptoSuite()
        cache.remember(try Self.content(1, width: 3))
        #expect(try cache.nodes(of: Self.content(1, width: 3).tile, suite: suite) != nil)
        #expect(try cache.nodes(of: Self.content(1, width: 2).tile, suite: suite) == nil)
        #expect(try cache.nodes(of: Self.content(1).tile, suite: suite) == nil)
        let bundle = try #require(Tile(.entries, index: 1))
        cache.remember(TileContent(tile: bundle, bytes: [1]))
        #expect(try cache.nodes(of: bundle, suite: suite) == nil)
    }

    @Test("nodes that are known already are not hashed again")
    func known() throws {
        let cache = TileCache()
        let suite = SwiftCryptoSuite()
        let content = try Self.content(1, width: 3)
        // Others, by which they are told apart.
        let nodes = try TileNodes(tile: try Self.content(2, width: 3).bytes, suite: suite)
        cache.remember(content, nodes: nodes)
        #expect(try cache.nodes(of: content.tile, suite: suite) == nodes)
    }

    @Test("a damaged tile is told, not believed")
    func damaged() throws {
        let cache = TileCache()
        let tile = try #require(Tile(.hashes(level: 0), index: 0, width: 2))
        cache.remember(TileContent(tile: tile, bytes: [1, 2, 3]))
        #expect(throws: TransparencyError.malformedTile) { try cache.nodes(of: tile, suite: SwiftCryptoSuite()) }
    }
}
