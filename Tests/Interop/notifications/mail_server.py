"""A mail server, aiosmtpd, that says what it was given.

Arguments: "plain", "starttls" or "implicit", a folder for certificate and key, and "user:password" if it wants one. Prints
a line of JSON with its port, and one for each message. A recipient "nobody@..." is refused for good, "later@..." for now.
"""

import email
import email.policy
import json
import pathlib
import ssl
import subprocess
import sys
import threading
import warnings

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

sys.path.append(str(pathlib.Path(__file__).parents[3] / "scripts"))
from ports import free_port

mode, folder, *wanted = sys.argv[1:]


def say(**members):
    print(json.dumps(members), flush=True)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 no such person"
        if address.startswith("later@"):
            return "451 come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.original_content, policy=email.policy.strict)
        say(
            sender=envelope.mail_from, recipients=envelope.rcpt_tos, subject=message["Subject"], to=message["To"],
            origin=message["From"], id=message["Message-ID"], date=int(message["Date"].datetime.timestamp()),
            text=message.get_content(), headers=message.keys(), is_ascii=envelope.original_content.isascii(),
            longest=max(len(line) for line in envelope.original_content.split(b"\r\n")),
            tls=session.ssl is not None or mode == "implicit", user=getattr(session, "auth_data", None))
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    given = f"{data.login.decode()}:{data.password.decode()}"
    # Otherwise it thinks that a refusal was told already, and says nothing.
    return AuthResult(success=given == wanted[0], handled=False, auth_data=data.login.decode())


context = None
if mode != "plain":
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{folder}/key.pem",
         "-out", f"{folder}/certificate.pem"], check=True, stderr=subprocess.DEVNULL)
    # Its controller looks whether it listens, with the same context.
    warnings.simplefilter("ignore", DeprecationWarning)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS)
    context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")


class Server(Controller):
    def factory(self):
        return SMTP(
            self.handler, hostname="mail.example", tls_context=context if mode == "starttls" else None,
            require_starttls=mode == "starttls", auth_required=bool(wanted), auth_require_tls=mode == "starttls",
            authenticator=authenticate if wanted else None)


# Not one that the system gives to anybody who opens a connection before this listens.
port = free_port()
server = Server(
    Handler(), hostname="localhost", port=port, ssl_context=context if mode == "implicit" else None, ready_timeout=120)
server.start()
say(port=port)
threading.Event().wait()
