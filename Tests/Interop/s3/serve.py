"""moto's S3 on a free port of 127.0.0.1, with a bucket and a key that may do no more than the documentation asks for.

A second bucket keeps all versions of its objects. The key may do the same there, and the owner's key everything.

    serve.py FILE    writes the settings that scripts/with-s3 hands on to FILE, and serves until it is killed
"""

import json
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
VERSIONED = "countersign-versions"


def policy(bucket):
    """The policy that docs/operations.md shows, for a bucket."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
    with open(os.path.join(root, "docs", "operations.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```json\n(.*?)```", file.read(), re.DOTALL)
    found = [block for block in blocks if "s3:PutObject" in block]
    assert len(found) == 1, "docs/operations.md must show one policy"
    return found[0].replace("BUCKET/PREFIX", bucket).replace("BUCKET", bucket)


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
    s3 = boto3.client("s3", **account)
    for bucket in (BUCKET, VERSIONED):
        s3.create_bucket(Bucket=bucket)
    s3.put_bucket_versioning(Bucket=VERSIONED, VersioningConfiguration={"Status": "Enabled"})
    iam = boto3.client("iam", **account)
    iam.create_user(UserName="countersign")
    for bucket in (BUCKET, VERSIONED):
        iam.put_user_policy(UserName="countersign", PolicyName=bucket, PolicyDocument=policy(bucket))
    key = iam.create_access_key(UserName="countersign")["AccessKey"]
    iam.create_user(UserName="owner")
    everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    iam.put_user_policy(UserName="owner", PolicyName="owner", PolicyDocument=json.dumps(everything))
    owner = iam.create_access_key(UserName="owner")["AccessKey"]
    # From here on every signature is checked, and every act against the policy.
    moto.settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    settings = {
        "TEST_S3": endpoint, "AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"],
        "TEST_S3_OWNER_KEY": owner["AccessKeyId"], "TEST_S3_OWNER_SECRET": owner["SecretAccessKey"],
    }
    text = "".join(f"{name}={value!r}\n" for name, value in settings.items())
    with open(sys.argv[1] + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    threading.Event().wait()


if __name__ == "__main__":
    main()
