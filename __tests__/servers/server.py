# A shop on Python's http.server: stores what it gets, and closes after each answer without saying so.
import http.server
import json
import pathlib
import re
import sys

PORT, OUT, TOKEN = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:
            return
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            self.answer(401, {"message": "Unauthenticated."})
            return
        boundary = self.headers["Content-Type"].split("boundary=")[1].encode()
        fields, content = {}, None
        for part in body.split(b"--" + boundary)[1:-1]:
            head, value = part[2:-2].split(b"\r\n\r\n", 1)
            name = re.search(rb' name="([^"]*)"', head).group(1).decode()
            file_name = re.search(rb'filename="([^"]*)"', head)
            if file_name:
                fields["file_name"], content = file_name.group(1).decode(), value
            else:
                fields[name] = value.decode()
        (OUT / "file").write_bytes(content)
        (OUT / "fields.json").write_text(json.dumps(fields))
        self.answer(201, {"data": {"id": 7, "changelog": fields["changelog"]}})

    def answer(self, status, value):
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()
