// A shop on Go's net/http, with Go's own reader of forms.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	port, out, token := os.Args[1], os.Args[2], os.Args[3]
	answer := func(w http.ResponseWriter, status int, value any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(value)
	}
	shop := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			answer(w, 401, map[string]string{"message": "Unauthenticated."})
			return
		}
		file, header, err := r.FormFile("file")
		if err != nil {
			answer(w, 400, map[string]string{"message": err.Error()})
			return
		}
		content, _ := io.ReadAll(file)
		fields := map[string]string{"file_name": header.Filename}
		for name, values := range r.MultipartForm.Value {
			fields[name] = values[0]
		}
		text, _ := json.Marshal(fields)
		os.WriteFile(filepath.Join(out, "file"), content, 0o600)
		os.WriteFile(filepath.Join(out, "fields.json"), text, 0o600)
		data := map[string]any{"id": 7, "changelog": fields["changelog"]}
		answer(w, 201, map[string]any{"data": data})
	}
	panic(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(shop)))
}
