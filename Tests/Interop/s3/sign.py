"""Signs requests with botocore: what Countersign's own signatures are compared with.

    sign.py FILE    FILE has one JSON object a line; prints the value of "Authorization" for each
"""

import json
import sys
from urllib.parse import quote

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def sign(case):
    query = "&".join(f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}" for name, value in case["query"])
    url = "https://" + case["host"] + quote(case["path"], safe="/-_.~") + ("?" + query if query else "")
    auth = S3SigV4Auth(Credentials(case["key"], case["secret"]), "s3", case["region"])
    request = AWSRequest(method=case["method"], url=url, headers=dict(case["headers"]))
    request.context["timestamp"] = case["stamp"]
    text = auth.string_to_sign(request, auth.canonical_request(request))
    auth._inject_signature_to_request(request, auth.signature(text, request))
    return request.headers["Authorization"]


with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        print(sign(json.loads(line)))
