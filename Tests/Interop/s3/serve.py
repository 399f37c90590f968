"""moto's S3 on a free port of 127.0.0.1, with a bucket and a key that may do no more than the documentation asks for.

    serve.py FILE    writes the settings that scripts/with-s3 hands on to FILE, and serves until it is killed
"""

import os
import re
import sys
import threading

import boto3
import flask
import moto.settings
from moto.iam.access_control import S3IAMRequest
from moto.server import ThreadedMotoServer

BUCKET = "countersign"


def policy():
    """The policy that docs/operations.md shows, for this bucket."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
    with open(os.path.join(root, "docs", "operations.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```json\n(.*?)```", file.read(), re.DOTALL)
    found = [block for block in blocks if "s3:PutObject" in block]
    assert len(found) == 1, "docs/operations.md must show one policy"
    return found[0].replace("BUCKET/PREFIX", BUCKET).replace("BUCKET", BUCKET)


class AsSent(S3IAMRequest):
    """moto unescapes a query before it checks the signature, so that listings never pass; here it is as it was sent."""

    def _create_aws_request(self):
        self._path = flask.request.environ["RAW_URI"]
        return super()._create_aws_request()


def main():
    moto.iam.access_control.S3IAMRequest = AsSent
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    account = {
        "endpoint_url": endpoint, "region_name": "us-east-1",
        "aws_access_key_id": "setup", "aws_secret_access_key": "setup",
    }
    boto3.client("s3", **account).create_bucket(Bucket=BUCKET)
    iam = boto3.client("iam", **account)
    iam.create_user(UserName="countersign")
    iam.put_user_policy(UserName="countersign", PolicyName="countersign", PolicyDocument=policy())
    key = iam.create_access_key(UserName="countersign")["AccessKey"]
    # From here on every signature is checked, and every act against the policy.
    moto.settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    settings = {
        "TEST_S3": endpoint, "AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"],
    }
    text = "".join(f"{name}={value!r}\n" for name, value in settings.items())
    with open(sys.argv[1] + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    threading.Event().wait()


if __name__ == "__main__":
    main()
