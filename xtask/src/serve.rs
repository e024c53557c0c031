//! A small static server for the demo. It listens on 127.0.0.1 only and serves nothing outside its folder.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};
use tiny_http::{HTTPVersion, Header, Method, Request, Response, Server};

/// Serves the folder until the process ends. If the port is taken, a free one replaces it.
pub(crate) fn serve(folder: &Path, port: u16) -> Result<()> {
    let (port, threads) = listen(folder, port)?;
    println!("\n  gambol plays at http://127.0.0.1:{port}/\n\nStop with Ctrl+C.");
    for thread in threads {
        thread.join().map_err(|_| anyhow!("the server stopped"))?;
    }
    Ok(())
}

/// Starts listening; returns the port and the threads that answer.
fn listen(folder: &Path, port: u16) -> Result<(u16, Vec<JoinHandle<()>>)> {
    let folder: Arc<Path> =
        fs::canonicalize(folder).with_context(|| format!("no {}", folder.display()))?.into();
    let server = Server::http(("127.0.0.1", port))
        .or_else(|_| Server::http(("127.0.0.1", 0)))
        .map_err(|error| anyhow!("cannot listen on 127.0.0.1: {error}"))?;
    let port = server.server_addr().to_ip().map_or(port, |address| address.port());

    let server = Arc::new(server);
    // A few threads, so that one slow reader does not hold up the others.
    let threads = (0..4)
        .map(|_| {
            let (server, folder) = (Arc::clone(&server), Arc::clone(&folder));
            thread::spawn(move || server.incoming_requests().for_each(|request| answer(request, &folder)))
        })
        .collect();
    Ok((port, threads))
}

fn answer(request: Request, folder: &Path) {
    // An error here means that the browser closed the connection.
    let _ = if !matches!(request.method(), Method::Get | Method::Head) {
        respond(request, Response::from_string("only GET").with_status_code(405))
    } else if let Some((file, path)) =
        resolve(folder, request.url()).and_then(|path| Some((File::open(&path).ok()?, path)))
    {
        let mut response = Response::from_file(file);
        for (name, value) in [
            ("Content-Type", content_type(&path)),
            ("Cache-Control", "no-cache"),
            ("X-Content-Type-Options", "nosniff"),
            // As static hosts do. The frame of the examples has an opaque origin.
            ("Access-Control-Allow-Origin", "*"),
        ] {
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        respond(request, response)
    } else {
        respond(request, Response::from_string("not found").with_status_code(404))
    };
}

/// Answers by HTTP/1.0, after which the client closes. tiny_http blocks a thread on each connection that is kept alive.
/// Of several simultaneous connections it sometimes treats one as blocked already: its request would have no answer
/// until a page closes.
fn respond<R: Read>(request: Request, response: Response<R>) -> io::Result<()> {
    let (headers, is_head) = (request.headers().to_vec(), *request.method() == Method::Head);
    let mut writer = request.into_writer();
    response.raw_print(&mut writer, HTTPVersion(1, 0), &headers, is_head, None)?;
    writer.flush()
}

/// The file that a request names, if it lies in the folder; `folder` must be canonical.
fn resolve(folder: &Path, url: &str) -> Option<PathBuf> {
    let path = decode(url.split(['?', '#']).next()?)?;
    let mut file = folder.to_path_buf();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        // The path is already decoded, so `%2e%2e` and `%2f` are handled as `..` and `/`.
        if part == "." || part == ".." || part.contains(['\\', ':', '\0']) {
            return None;
        }
        file.push(part);
    }
    if file.is_dir() {
        file.push("index.html");
    }
    // Resolves links, which must not lead outside.
    fs::canonicalize(&file).ok().filter(|file| file.starts_with(folder) && file.is_file())
}

/// Decodes percent encoding; `None` if the text is not valid UTF-8 or not correctly encoded.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let (high, low) = (char::from(rest.next()?), char::from(rest.next()?));
                u8::try_from(high.to_digit(16)? * 16 + low.to_digit(16)?).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "glb" => "model/gltf-binary",
        "gltf" => "model/gltf+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "ktx2" => "image/ktx2",
        "webmanifest" => "application/manifest+json",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpStream;
    use std::time::Duration;

    /// Like browsers: several connections at the same time, each kept alive unless the answer says otherwise.
    #[test]
    fn server_answers_all_clients() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("gambol-answers-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("a.txt"), "all of it")?;
        for _ in 0..30 {
            let (port, _) = listen(&folder, 0)?;
            let connect = |_| TcpStream::connect(("127.0.0.1", port));
            let mut open = (0..8).map(connect).collect::<io::Result<Vec<_>>>()?;
            for stream in &mut open {
                stream.write_all(b"GET /a.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")?;
            }
            let mut kept = Vec::new();
            for mut stream in open {
                // A request without an answer must fail, not hang.
                stream.set_read_timeout(Some(Duration::from_secs(60)))?;
                let mut answer = String::new();
                while !answer.ends_with("all of it") {
                    let mut some = [0; 64];
                    let count = stream.read(&mut some).context("no answer")?;
                    anyhow::ensure!(count > 0, "an answer without its end: {answer}");
                    answer += &String::from_utf8_lossy(&some[..count]);
                }
                assert!(answer.contains("200 OK") && answer.contains("Content-Length: 9"), "{answer}");
                assert!(answer.contains("Access-Control-Allow-Origin: *\r\n"), "{answer}");
                if answer.starts_with("HTTP/1.1") {
                    kept.push(stream);
                }
            }
        }
        fs::remove_dir_all(&folder)?;
        Ok(())
    }

    #[test]
    fn server_finds_only_files_inside_the_folder() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("gambol-serve-{}", std::process::id()));
        let site = folder.join("site");
        fs::create_dir_all(site.join("a b"))?;
        fs::write(folder.join("secret"), "")?;
        fs::write(site.join("index.html"), "")?;
        fs::write(site.join("a b/c.glb"), "")?;
        let site = fs::canonicalize(&site)?;

        assert_eq!(resolve(&site, "/"), Some(site.join("index.html")));
        assert_eq!(resolve(&site, "/?x#y"), Some(site.join("index.html")));
        assert_eq!(resolve(&site, "/a%20b/c.glb"), Some(site.join("a b/c.glb")));
        for url in [
            "/../secret",
            "/%2e%2e/secret",
            "/a%20b/..%2f..%2fsecret",
            "/..%5csecret",
            "//../secret",
            "/./index.html",
            "/missing",
            "/a%20b",
            "/%zz",
            "/%2",
            "/%ff",
            "/%00",
        ] {
            assert_eq!(resolve(&site, url), None, "{url}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.join("secret"), site.join("link"))?;
            assert_eq!(resolve(&site, "/link"), None);
        }
        fs::remove_dir_all(folder)?;
        Ok(())
    }

    #[test]
    fn server_sends_the_mime_types_that_browsers_need() {
        assert_eq!(content_type(Path::new("x/gambol.wasm")), "application/wasm");
        assert_eq!(content_type(Path::new("x/sample.glb")), "model/gltf-binary");
        assert_eq!(content_type(Path::new("x/index.js")), "text/javascript; charset=utf-8");
    }
}
