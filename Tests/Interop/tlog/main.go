// Command tlog checks a Countersign log with code that is not ours: the packages note and tlog behind Go's checksum
// database (golang.org/x/mod/sumdb; Debian: golang-golang-x-mod-dev).
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run main.go -log DIR -vkey FILE [-receipt FILE]... [-old CHECKPOINT]...
//
// It prints one line for each check, beginning with "ok" or "FAIL", and ends with status 1 when one failed.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// tileHeight is that of C2SP tlog-tiles: 256 hashes a tile.
const tileHeight = 8

// mostSizes bounds for how many smaller trees a consistency proof is made; of a larger log they are spread evenly.
const mostSizes = 1000

func main() {
	var receipts, olds files
	dir := flag.String("log", "", "directory with checkpoint and tile/")
	vkey := flag.String("vkey", "", "file with the verifier key of the log")
	flag.Var(&receipts, "receipt", "tlog-proof to check; may be repeated")
	flag.Var(&olds, "old", "older checkpoint of the same log; may be repeated")
	flag.Parse()
	if *dir == "" || *vkey == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	c := &checker{dir: *dir, seen: map[string]bool{}}
	c.run(*vkey, receipts, olds)
	if c.failed {
		os.Exit(1)
	}
}

type files []string

func (f *files) String() string     { return strings.Join(*f, " ") }
func (f *files) Set(s string) error { *f = append(*f, s); return nil }

type checker struct {
	dir    string
	origin string
	keys   note.Verifiers
	tree   tlog.Tree
	leaves []tlog.Hash
	seen   map[string]bool
	failed bool
}

// report prints the line of one check and tells whether it passed.
func (c *checker) report(name, detail string, err error) bool {
	if err != nil {
		c.failed = true
		fmt.Printf("FAIL %s: %v\n", name, err)
		return false
	}
	fmt.Printf("ok   %s: %s\n", name, detail)
	return true
}

func (c *checker) run(vkey string, receipts, olds []string) {
	text, err := os.ReadFile(vkey)
	if err == nil {
		var key note.Verifier
		if key, err = note.NewVerifier(strings.TrimSuffix(string(text), "\n")); err == nil {
			c.origin, c.keys = key.Name(), note.VerifierList(key)
		}
	}
	if !c.report("verifier key", c.origin, err) {
		return
	}
	signed, err := os.ReadFile(filepath.Join(c.dir, "checkpoint"))
	if err == nil {
		c.tree, err = c.open(signed)
	}
	if !c.report("checkpoint signature", fmt.Sprintf("size %d root %v", c.tree.N, c.tree.Hash), err) {
		return
	}
	detail, err := c.readTiles()
	if !c.report("tiles", detail, err) {
		return
	}
	if !c.report("entries", "they hash to every tile and to the root", c.checkEntries()) {
		return
	}
	proofs, err := c.checkConsistency()
	c.report("consistency", fmt.Sprintf("%d smaller trees", proofs), err)
	for _, path := range olds {
		detail, err := c.checkOld(path)
		c.report("consistency with "+filepath.Base(path), detail, err)
	}
	inclusions, err := c.checkInclusion()
	c.report("inclusion", fmt.Sprintf("%d entries", inclusions), err)
	for _, path := range receipts {
		detail, err := c.checkReceipt(path)
		c.report("receipt "+filepath.Base(path), detail, err)
	}
}

// open checks the signature of a checkpoint and reads its text.
func (c *checker) open(signed []byte) (tree tlog.Tree, err error) {
	n, err := note.Open(signed, c.keys)
	if err != nil {
		return tree, err
	}
	lines := strings.Split(n.Text, "\n")
	if len(lines) < 4 || lines[0] != c.origin {
		return tree, errors.New("not a checkpoint of this log")
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil || strconv.FormatInt(tree.N, 10) != lines[1] {
		return tree, fmt.Errorf("tree size %q", lines[1])
	}
	tree.Hash, err = tlog.ParseHash(lines[2])
	return tree, err
}

// tileFile is the path of a tile as C2SP spells it: without the height, and "entries" for the data.
func tileFile(t tlog.Tile) string {
	path := strings.TrimPrefix(t.Path(), fmt.Sprintf("tile/%d/", tileHeight))
	return "tile/" + strings.Replace(path, "data/", "entries/", 1)
}

// The three methods of tlog.TileReader.

func (c *checker) Height() int { return tileHeight }

func (c *checker) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, t := range tiles {
		data, err := os.ReadFile(filepath.Join(c.dir, tileFile(t)))
		if err != nil {
			return nil, err
		}
		if len(data) != t.W*tlog.HashSize {
			return nil, fmt.Errorf("%s has %d bytes", tileFile(t), len(data))
		}
		c.seen[tileFile(t)] = true
		all = append(all, data)
	}
	return all, nil
}

func (c *checker) SaveTiles([]tlog.Tile, [][]byte) {}

func (c *checker) reader() tlog.HashReader { return tlog.TileHashReader(c.tree, c) }

// readTiles reads every leaf hash; the reader checks the tiles on the way up to the root.
func (c *checker) readTiles() (string, error) {
	for start := int64(0); start < c.tree.N; start += 1 << tileHeight {
		var indexes []int64
		for n := start; n < c.tree.N && n < start+1<<tileHeight; n++ {
			indexes = append(indexes, tlog.StoredHashIndex(0, n))
		}
		hashes, err := c.reader().ReadHashes(indexes)
		if err != nil {
			return "", err
		}
		c.leaves = append(c.leaves, hashes...)
	}
	return fmt.Sprintf("%d files lead up to the root", len(c.seen)), nil
}

// allTiles lists the tiles of hashes that the log must have.
func (c *checker) allTiles() (tiles []tlog.Tile) {
	for level, count := 0, c.tree.N; count > 0; level, count = level+1, count>>tileHeight {
		for n := int64(0); n<<tileHeight < count; n++ {
			t := tlog.Tile{H: tileHeight, L: level, N: n, W: 1 << tileHeight}
			if rest := count - n<<tileHeight; rest < int64(t.W) {
				t.W = int(rest)
			}
			tiles = append(tiles, t)
		}
	}
	return tiles
}

// checkEntries hashes all entries and builds the tree again from nothing else.
func (c *checker) checkEntries() error {
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var hashes []tlog.Hash
		for _, index := range indexes {
			hashes = append(hashes, stored[index])
		}
		return hashes, nil
	})
	for n := int64(0); n < c.tree.N; {
		entries, err := c.bundle(n >> tileHeight)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			hash := tlog.RecordHash(entry)
			if hash != c.leaves[n] {
				return fmt.Errorf("entry %d is not that of the tile", n)
			}
			more, err := tlog.StoredHashesForRecordHash(n, hash, read)
			if err != nil {
				return err
			}
			stored = append(stored, more...)
			n++
		}
	}
	if c.tree.N == 0 {
		if c.tree.Hash != tlog.Hash(sha256.Sum256(nil)) {
			return errors.New("the empty tree has another root")
		}
		return nil
	}
	root, err := tlog.TreeHash(c.tree.N, read)
	if err != nil {
		return err
	}
	if root != c.tree.Hash {
		return errors.New("the entries hash to another root")
	}
	// The tile reader does not compare every tile with its parent (x/mod 0.7), so that each is compared here.
	for _, t := range c.allTiles() {
		want, err := tlog.ReadTileData(t, read)
		if err != nil {
			return err
		}
		have, err := c.ReadTiles([]tlog.Tile{t})
		if err != nil {
			return err
		}
		if !bytes.Equal(want, have[0]) {
			return fmt.Errorf("%s is not what the entries hash to", tileFile(t))
		}
	}
	return nil
}

// bundle reads the entries of bundle number n.
func (c *checker) bundle(n int64) (entries [][]byte, err error) {
	t := tlog.Tile{H: tileHeight, L: -1, N: n, W: 1 << tileHeight}
	if rest := c.tree.N - n<<tileHeight; rest < int64(t.W) {
		t.W = int(rest)
	}
	data, err := os.ReadFile(filepath.Join(c.dir, tileFile(t)))
	if err != nil {
		return nil, err
	}
	for len(data) > 0 {
		if len(data) < 2 || len(data)-2 < int(binary.BigEndian.Uint16(data)) {
			return nil, fmt.Errorf("%s is cut", tileFile(t))
		}
		length := int(binary.BigEndian.Uint16(data))
		entries = append(entries, data[2:2+length])
		data = data[2+length:]
	}
	if len(entries) != t.W {
		return nil, fmt.Errorf("%s has %d entries", tileFile(t), len(entries))
	}
	return entries, nil
}

// step spreads checks over a large log.
func (c *checker) step() int64 { return c.tree.N/mostSizes + 1 }

// checkConsistency proves smaller trees, with roots from the tiles, to be the beginning of this one.
func (c *checker) checkConsistency() (count int, err error) {
	for n := int64(1); n <= c.tree.N; n += c.step() {
		root, err := tlog.TreeHash(n, c.reader())
		if err != nil {
			return count, err
		}
		if err := c.proveTree(tlog.Tree{N: n, Hash: root}); err != nil {
			return count, fmt.Errorf("size %d: %w", n, err)
		}
		count++
	}
	return count, nil
}

func (c *checker) proveTree(old tlog.Tree) error {
	if old.N == 0 {
		if old.Hash != tlog.Hash(sha256.Sum256(nil)) {
			return errors.New("the empty tree has another root")
		}
		return nil
	}
	if old.N > c.tree.N {
		return fmt.Errorf("it has %d entries, more than the log", old.N)
	}
	proof, err := tlog.ProveTree(c.tree.N, old.N, c.reader())
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, c.tree.N, c.tree.Hash, old.N, old.Hash)
}

func (c *checker) checkOld(path string) (string, error) {
	signed, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	old, err := c.open(signed)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("size %d", old.N), c.proveTree(old)
}

func (c *checker) checkInclusion() (count int, err error) {
	for n := int64(0); n < c.tree.N; n += c.step() {
		proof, err := tlog.ProveRecord(c.tree.N, n, c.reader())
		if err != nil {
			return count, err
		}
		if err := tlog.CheckRecord(proof, c.tree.N, c.tree.Hash, n, c.leaves[n]); err != nil {
			return count, fmt.Errorf("entry %d: %w", n, err)
		}
		count++
	}
	return count, nil
}

// proofText is a C2SP tlog-proof, read.
type proofText struct {
	extra      []byte
	index      int64
	hashes     tlog.RecordProof
	checkpoint []byte
}

func parseProof(text []byte) (p proofText, err error) {
	head, checkpoint, found := bytes.Cut(text, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !found || lines[0] != "c2sp.org/tlog-proof@v1" {
		return p, errors.New("not a tlog-proof")
	}
	p.checkpoint = checkpoint
	lines = lines[1:]
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		if p.extra, err = base64.StdEncoding.Strict().DecodeString(lines[0][6:]); err != nil {
			return p, err
		}
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return p, errors.New("no index")
	}
	if p.index, err = strconv.ParseInt(lines[0][6:], 10, 64); err != nil {
		return p, err
	}
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return p, err
		}
		p.hashes = append(p.hashes, hash)
	}
	return p, nil
}

// checkReceipt checks a receipt by itself, then that it belongs to this log.
func (c *checker) checkReceipt(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	proof, err := parseProof(text)
	if err != nil {
		return "", err
	}
	tree, err := c.open(proof.checkpoint)
	if err != nil {
		return "", err
	}
	entry, kind, err := openExtra(proof.extra)
	if err != nil {
		return "", err
	}
	if proof.index < 0 || proof.index >= tree.N {
		return "", errors.New("the index lies outside the tree")
	}
	hash := tlog.RecordHash(entry)
	if err := tlog.CheckRecord(proof.hashes, tree.N, tree.Hash, proof.index, hash); err != nil {
		return "", err
	}
	if err := c.proveTree(tree); err != nil {
		return "", fmt.Errorf("its checkpoint and the log: %w", err)
	}
	if hash != c.leaves[proof.index] {
		return "", errors.New("the log has another entry there")
	}
	return fmt.Sprintf("%s, entry %d of %d", kind, proof.index, tree.N), nil
}

// openExtra reads our extra data and checks that the record is what the entry commits to.
func openExtra(extra []byte) (entry []byte, kind string, err error) {
	var value struct {
		Entry   string
		Opening string
		// Kept as it was written: within canonical JSON it is canonical too, and that is what is committed to.
		Record json.RawMessage
	}
	if err := json.Unmarshal(extra, &value); err != nil {
		return nil, "", err
	}
	encoding := base64.RawURLEncoding.Strict()
	if entry, err = encoding.DecodeString(value.Entry); err != nil {
		return nil, "", err
	}
	opening, err := encoding.DecodeString(value.Opening)
	if err != nil {
		return nil, "", err
	}
	var logged struct{ Type, Commitment string }
	if err := json.Unmarshal(entry, &logged); err != nil {
		return nil, "", err
	}
	commitment, err := encoding.DecodeString(logged.Commitment)
	if err != nil {
		return nil, "", err
	}
	mac := hmac.New(sha256.New, opening)
	mac.Write(value.Record)
	if !hmac.Equal(mac.Sum(nil), commitment) {
		return nil, "", errors.New("the record is not what the entry commits to")
	}
	return entry, logged.Type, nil
}
