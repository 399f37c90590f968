// Command witness is the other side of C2SP tlog-witness, with trees, proofs and notes that are not ours: those behind
// Go's checksum database (golang.org/x/mod/sumdb; Debian: golang-golang-x-mod-dev).
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run main.go serve -name NAME -log VKEY
//	GO111MODULE=off GOPATH=/usr/share/gocode go run main.go key -name ORIGIN
//	GO111MODULE=off GOPATH=/usr/share/gocode go run main.go ask -name ORIGIN -witness URL -key VKEY
//
// serve is a witness that remembers in memory; it prints its key and port as one line of JSON. ask is a log with a key
// that is the same in every run (key prints it): it grows, has a witness sign each step, and tries what must be refused.
// It prints one line for each check, beginning with "ok" or "FAIL", and ends with status 1 when one failed.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// cosignature is the algorithm of a witness's key (C2SP signed-note, tlog-cosignature).
const cosignature = 4

func main() {
	flags := flag.NewFlagSet("witness", flag.ExitOnError)
	name := flags.String("name", "", "of the witness, or the origin of the log")
	logKey := flags.String("log", "", "verifier key of the log to watch")
	url := flags.String("witness", "", "address of the witness to ask")
	key := flags.String("key", "", "verifier key of the witness to ask")
	if len(os.Args) < 2 || flags.Parse(os.Args[2:]) != nil || *name == "" {
		fmt.Fprintln(os.Stderr, "serve, key or ask, and -name")
		os.Exit(2)
	}
	var err error
	switch os.Args[1] {
	case "serve":
		err = serve(*name, *logKey)
	case "key":
		_, verifier := logKeys(*name)
		fmt.Println(verifier)
	case "ask":
		err = ask(*name, *url, *key)
	default:
		err = errors.New("serve, key or ask")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// checkpoint is the text that a log signs.
type checkpoint struct {
	origin string
	size   int64
	root   tlog.Hash
}

func parse(text string) (c checkpoint, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 {
		return c, errors.New("not a checkpoint")
	}
	c.origin = lines[0]
	if c.size, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return c, err
	}
	c.root, err = tlog.ParseHash(lines[2])
	return c, err
}

func (c checkpoint) String() string { return fmt.Sprintf("%s\n%d\n%s\n", c.origin, c.size, c.root) }

// message is what a witness signs of a checkpoint at a time.
func message(text string, at uint64) []byte {
	return []byte(fmt.Sprintf("cosignature/v1\ntime %d\n%s", at, text))
}

func keyID(name string, public []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), append([]byte{cosignature}, public...)...))
	return binary.BigEndian.Uint32(sum[:4])
}

// --- a witness ---------------------------------------------------------------------------------------------------

type server struct {
	sync.Mutex
	name   string
	key    ed25519.PrivateKey
	public ed25519.PublicKey
	log    note.Verifier
	last   *checkpoint
}

func serve(name, logKey string) error {
	log, err := note.NewVerifier(logKey)
	if err != nil {
		return err
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	s := &server{name: name, key: private, public: public, log: log}
	http.HandleFunc("/add-checkpoint", s.add)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	encoded := base64.StdEncoding.EncodeToString(append([]byte{cosignature}, public...))
	line, _ := json.Marshal(map[string]any{
		"key":  fmt.Sprintf("%s+%08x+%s", name, keyID(name, public), encoded),
		"port": listener.Addr().(*net.TCPAddr).Port,
	})
	fmt.Println(string(line))
	return http.Serve(listener, nil)
}

func (s *server) add(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	head, signed, found := strings.Cut(string(body), "\n\n")
	if r.Method != "POST" || err != nil || !found {
		http.Error(w, "not a request", 400)
		return
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(s.log))
	if err != nil {
		http.Error(w, err.Error(), 403)
		return
	}
	next, err := parse(opened.Text)
	if err != nil || next.origin != s.log.Name() {
		http.Error(w, "another log", 404)
		return
	}
	lines := strings.Split(head, "\n")
	old, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
	if err != nil || old > next.size {
		http.Error(w, "the old size", 400)
		return
	}
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		proof = append(proof, hash)
	}
	known := int64(0)
	if s.last != nil {
		known = s.last.size
	}
	if old != known || (s.last != nil && next.size == known && next.root != s.last.root) {
		w.Header().Set("Content-Type", "text/x.tlog.size")
		w.WriteHeader(409)
		fmt.Fprintf(w, "%d\n", known)
		return
	}
	if known > 0 {
		if err := tlog.CheckTree(proof, next.size, next.root, known, s.last.root); err != nil {
			http.Error(w, err.Error(), 422)
			return
		}
	}
	s.last = &next
	at := uint64(time.Now().Unix())
	blob := binary.BigEndian.AppendUint32(nil, keyID(s.name, s.public))
	blob = binary.BigEndian.AppendUint64(blob, at)
	blob = append(blob, ed25519.Sign(s.key, message(opened.Text, at))...)
	fmt.Fprintf(w, "\u2014 %s %s\n", s.name, base64.StdEncoding.EncodeToString(blob))
}

// --- a log -------------------------------------------------------------------------------------------------------

// logKeys makes the same key in every run.
func logKeys(origin string) (signer, verifier string) {
	seed := sha256.Sum256([]byte(origin))
	signer, verifier, err := note.GenerateKey(bytes.NewReader(seed[:]), origin)
	if err != nil {
		panic(err)
	}
	return signer, verifier
}

// tree keeps every hash.
type tree struct {
	hashes []tlog.Hash
	size   int64
}

func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		found = append(found, t.hashes[index])
	}
	return found, nil
}

func (t *tree) grow(word string, to int64) {
	for ; t.size < to; t.size++ {
		hashes, err := tlog.StoredHashes(t.size, []byte(fmt.Sprintf("%s %d", word, t.size)), t)
		if err != nil {
			panic(err)
		}
		t.hashes = append(t.hashes, hashes...)
	}
}

func (t *tree) head(origin string, size int64) checkpoint {
	root, err := tlog.TreeHash(size, t)
	if err != nil {
		panic(err)
	}
	return checkpoint{origin, size, root}
}

func (t *tree) proof(from, to int64) tlog.TreeProof {
	if from == 0 {
		return nil
	}
	proof, err := tlog.ProveTree(to, from, t)
	if err != nil {
		panic(err)
	}
	return proof
}

type asker struct {
	url, key string
	signer   note.Signer
	failed   bool
}

func (a *asker) report(name string, err error) {
	if err != nil {
		a.failed = true
		fmt.Printf("FAIL %s: %v\n", name, err)
		return
	}
	fmt.Printf("ok   %s\n", name)
}

// send asks for a signature; it gives the answer's status and body.
func (a *asker) send(old int64, proof tlog.TreeProof, next checkpoint, signer note.Signer) (int, string, error) {
	signed, err := note.Sign(&note.Note{Text: next.String()}, signer)
	if err != nil {
		return 0, "", err
	}
	body := fmt.Sprintf("old %d\n", old)
	for _, hash := range proof {
		body += hash.String() + "\n"
	}
	answer, err := http.Post(a.url+"/add-checkpoint", "", strings.NewReader(body+"\n"+string(signed)))
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}

// signed demands a good cosignature.
func (a *asker) signed(name string, old int64, proof tlog.TreeProof, next checkpoint) {
	status, text, err := a.send(old, proof, next, a.signer)
	if err == nil && status != 200 {
		err = fmt.Errorf("%d %s", status, text)
	}
	if err == nil {
		err = a.check(text, next)
	}
	a.report(name, err)
}

func (a *asker) check(text string, next checkpoint) error {
	parts := strings.SplitN(a.key, "+", 3)
	public, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(public) != 33 || public[0] != cosignature {
		return fmt.Errorf("%s is not the key of a witness", a.key)
	}
	public = public[1:]
	if want := fmt.Sprintf("%08x", keyID(parts[0], public)); want != parts[1] {
		return fmt.Errorf("the key's number is %s, not %s", parts[1], want)
	}
	fields := strings.Fields(text)
	if len(fields) != 3 || fields[0] != "\u2014" || fields[1] != parts[0] {
		return fmt.Errorf("not one line of this witness: %q", text)
	}
	blob, err := base64.StdEncoding.DecodeString(fields[2])
	if err != nil || len(blob) != 4+8+64 || binary.BigEndian.Uint32(blob) != keyID(parts[0], public) {
		return fmt.Errorf("not a cosignature: %q", text)
	}
	at := binary.BigEndian.Uint64(blob[4:])
	if age := time.Now().Unix() - int64(at); age < -60 || age > 60 {
		return fmt.Errorf("its time is %d seconds off", age)
	}
	if !ed25519.Verify(public, message(next.String(), at), blob[12:]) {
		return errors.New("the signature is not good")
	}
	return nil
}

// refused demands a status, and a body where the standard says one.
func (a *asker) refused(name string, want int, body string, old int64, proof tlog.TreeProof, next checkpoint, by note.Signer) {
	status, text, err := a.send(old, proof, next, by)
	if err == nil && (status != want || (body != "" && text != body)) {
		err = fmt.Errorf("%d %q, not %d %q", status, text, want, body)
	}
	a.report(name, err)
}

func ask(origin, url, key string) error {
	secret, _ := logKeys(origin)
	signer, err := note.NewSigner(secret)
	if err != nil {
		return err
	}
	a := &asker{url: url, key: key, signer: signer}
	t, other := &tree{}, &tree{}
	t.grow("entry", 700)
	other.grow("entry", 600)
	other.grow("another", 700)

	a.signed("the first checkpoint", 0, nil, t.head(origin, 3))
	for _, step := range [][2]int64{{3, 3}, {3, 4}, {4, 7}, {7, 255}, {255, 256}, {256, 257}, {257, 600}, {600, 650}} {
		name := fmt.Sprintf("from %d to %d", step[0], step[1])
		a.signed(name, step[0], t.proof(step[0], step[1]), t.head(origin, step[1]))
	}
	a.refused("a size that was not the last", 409, "650\n", 600, t.proof(600, 700), t.head(origin, 700), signer)
	a.refused("another tree of the same size", 409, "650\n", 650, nil, other.head(origin, 650), signer)
	a.refused("a tree that does not go on", 422, "", 650, other.proof(650, 700), other.head(origin, 700), signer)
	a.refused("no proof", 422, "", 650, nil, t.head(origin, 700), signer)
	a.refused("an old size above the new", 400, "", 700, nil, t.head(origin, 650), signer)
	stranger, _ := logKeys(origin + "/stranger")
	foreign, err := note.NewSigner(stranger)
	if err != nil {
		return err
	}
	a.refused("a log that it does not watch", 404, "", 0, nil, t.head(origin+"/stranger", 700), foreign)
	a.refused("a checkpoint that the log has not signed", 403, "", 650, t.proof(650, 700), t.head(origin, 700), foreign)
	a.signed("and it goes on from 650 to 700", 650, t.proof(650, 700), t.head(origin, 700))
	if a.failed {
		return errors.New("not as the standard says")
	}
	return nil
}
