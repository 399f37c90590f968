#!/bin/sh
# Writes the folder openssl/: a path made by the openssl command, which knows nothing of our code. The keys are thrown
# away, so that every run writes another path; the tests depend on names and times only.
set -eu
cd "$(dirname "$0")"
mkdir -p openssl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/extensions" <<'END'
[root]
basicConstraints=critical,CA:TRUE,pathlen:1
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash
subjectAltName=URI:https://countersign.example.edu
[main]
basicConstraints=critical,CA:TRUE,pathlen:0
keyUsage=critical,keyCertSign
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
subjectAltName=URI:https://countersign.example.edu
[leaf]
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=2.25.4839201756610287365.1.2
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
subjectAltName=URI:https://countersign.example.edu
2.25.4839201756610287365.3=ASN1:SEQUENCE:status
[status]
uri=IA5STRING:https://countersign.example.edu/status/0
index=INTEGER:130000
END
request() { # name, common name
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 -keyout "$work/$1.key" \
        -out "$work/$1.csr" -subj "/O=Example University/CN=$2" 2>/dev/null
}
sign() { # name, days, then how
    name=$1 days=$2
    shift 2
    openssl x509 -req -sha256 -in "$work/$name.csr" -days "$days" -set_serial "0x$(openssl rand -hex 15)" \
        -extfile "$work/extensions" -extensions "$name" -out "openssl/$name.pem" "$@" 2>/dev/null
}
request root "Example University Root"
request main "Maria Main"
request leaf "Adam Administrator"
sign root 36500 -signkey "$work/root.key"
sign main 36500 -CA openssl/root.pem -CAkey "$work/root.key"
sign leaf 36500 -CA openssl/main.pem -CAkey "$work/main.key"
openssl verify -x509_strict -CAfile openssl/root.pem -untrusted openssl/main.pem openssl/leaf.pem
