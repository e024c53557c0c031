//! A small static server for the demo. It listens on 127.0.0.1 only and serves nothing outside its folder.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

/// A request that is longer, or takes longer, is refused.
const LONGEST_REQUEST: u64 = 1 << 16;
const SLOWEST_REQUEST: Duration = Duration::from_secs(30);

/// Serves the folder until the process ends. If the port is taken, a free one replaces it. Meanwhile `finish` makes the files
/// with the names `later`; a request for one of them is answered afterwards.
pub(crate) fn serve(
    folder: &Path,
    port: u16,
    later: &[String],
    finish: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let later = Later::of(later);
    let (port, listening) = listen(folder, port, &later)?;
    println!("\n  gambol plays at http://127.0.0.1:{port}/\n\nStop with Ctrl+C.\n");
    match finish() {
        Ok(()) => println!("All files of the demo are built."),
        Err(error) => eprintln!("error: {error:#}\nThe demo lacks {}.", later.names.join(", ")),
    }
    later.end();
    listening.join().map_err(|_| anyhow!("the server stopped"))
}

/// Files that are made while the server runs.
struct Later {
    names: Vec<String>,
    /// `true` when all are made, or cannot be.
    made: Mutex<bool>,
    changed: Condvar,
}

impl Later {
    fn of(names: &[String]) -> Arc<Self> {
        Arc::new(Self { names: names.to_vec(), made: Mutex::new(false), changed: Condvar::new() })
    }

    /// `true` if a request is for a file that is not made yet.
    fn holds(&self, url: &str) -> bool {
        let name = url.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
        !*self.made() && self.names.iter().any(|other| name == Some(other))
    }

    fn wait(&self) {
        let made = self.changed.wait_while(self.made(), |made| !*made);
        drop(made.unwrap_or_else(PoisonError::into_inner));
    }

    fn end(&self) {
        *self.made() = true;
        self.changed.notify_all();
    }

    fn made(&self) -> MutexGuard<'_, bool> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts listening; returns the port and the thread that listens. Each connection has a thread of its own, because requests
/// for files that are not made yet wait in theirs.
fn listen(folder: &Path, port: u16, later: &Arc<Later>) -> Result<(u16, JoinHandle<()>)> {
    let folder: Arc<Path> =
        fs::canonicalize(folder).with_context(|| format!("no {}", folder.display()))?.into();
    let listener = TcpListener::bind(("127.0.0.1", port))
        .or_else(|_| TcpListener::bind(("127.0.0.1", 0)))
        .context("cannot listen on 127.0.0.1")?;
    let port = listener.local_addr()?.port();
    let later = Arc::clone(later);
    let listening = thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (folder, later) = (Arc::clone(&folder), Arc::clone(&later));
            // An error means that the browser closed the connection.
            thread::spawn(move || answer(&stream, &folder, &later));
        }
    });
    Ok((port, listening))
}

/// Answers one request by HTTP/1.0, which closes the connection.
fn answer(stream: &TcpStream, folder: &Path, later: &Later) -> io::Result<()> {
    stream.set_read_timeout(Some(SLOWEST_REQUEST))?;
    let mut lines = BufReader::new(stream.take(LONGEST_REQUEST)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    // The connection is closed without a reset only if the request was read to its end.
    let is_whole = lines.map_while(io::Result::ok).any(|line| line.is_empty());
    let mut words = first.split(' ');
    let (Some(method), Some(url), Some(_), true) = (words.next(), words.next(), words.next(), is_whole)
    else {
        return refuse(stream, "400 Bad Request", "not a request");
    };
    if !matches!(method, "GET" | "HEAD") {
        return refuse(stream, "405 Method Not Allowed", "only GET");
    }
    if later.holds(url) {
        later.wait();
    }
    let Some((mut file, path)) = resolve(folder, url).and_then(|path| Some((File::open(&path).ok()?, path)))
    else {
        return refuse(stream, "404 Not Found", "not found");
    };
    begin(stream, "200 OK", content_type(&path), file.metadata()?.len())?;
    if method == "GET" {
        io::copy(&mut file, &mut &*stream)?;
    }
    Ok(())
}

/// Answers with a status and a line of text.
fn refuse(mut stream: &TcpStream, status: &str, text: &str) -> io::Result<()> {
    begin(stream, status, "text/plain; charset=utf-8", text.len() as u64)?;
    stream.write_all(text.as_bytes())
}

fn begin(mut stream: &TcpStream, status: &str, content_type: &str, length: u64) -> io::Result<()> {
    // Other origins may read, as on static hosts: the frame of the examples has an opaque origin.
    let head = format!(
        "HTTP/1.0 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nAccess-Control-Allow-Origin: *\r\n\r\n"
    );
    stream.write_all(head.as_bytes())
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

    /// Reads an answer to its end, which is a text.
    fn read_until(end: &str, mut stream: &TcpStream) -> Result<String> {
        // A request without an answer must fail, not hang.
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let mut answer = String::new();
        while !answer.ends_with(end) {
            let mut some = [0; 64];
            let count = stream.read(&mut some).context("no answer")?;
            anyhow::ensure!(count > 0, "an answer without its end: {answer}");
            answer += &String::from_utf8_lossy(&some[..count]);
        }
        Ok(answer)
    }

    /// Like browsers: several connections at the same time, each kept alive unless the answer says otherwise.
    #[test]
    fn server_answers_all_clients() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("gambol-answers-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("a.txt"), "all of it")?;
        for _ in 0..30 {
            let (port, _) = listen(&folder, 0, &Later::of(&[]))?;
            let connect = |_| TcpStream::connect(("127.0.0.1", port));
            let mut open = (0..8).map(connect).collect::<io::Result<Vec<_>>>()?;
            for stream in &mut open {
                stream.write_all(b"GET /a.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")?;
            }
            let mut kept = Vec::new();
            for stream in open {
                let answer = read_until("all of it", &stream)?;
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
    fn server_refuses_what_it_does_not_understand() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("gambol-refused-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("a.txt"), "all of it")?;
        let (port, _) = listen(&folder, 0, &Later::of(&[]))?;
        for (request, status, end) in [
            ("\r\n\r\n".to_owned(), " 400 ", "not a request"),
            ("GET\r\n\r\n".to_owned(), " 400 ", "not a request"),
            ("GET /a.txt\r\n\r\n".to_owned(), " 400 ", "not a request"),
            ("POST /a.txt HTTP/1.1\r\n\r\n".to_owned(), " 405 ", "only GET"),
            ("GET /../a.txt HTTP/1.1\r\n\r\n".to_owned(), " 404 ", "not found"),
            ("GET /a.txt HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(), " 200 ", "all of it"),
            ("HEAD /a.txt HTTP/1.1\r\n\r\n".to_owned(), " 200 ", "*\r\n\r\n"),
            // Without an end.
            ("x".repeat(LONGEST_REQUEST as usize), " 400 ", "not a request"),
        ] {
            let mut stream = TcpStream::connect(("127.0.0.1", port))?;
            stream.write_all(request.as_bytes())?;
            let answer = read_until(end, &stream)?;
            assert!(answer.contains(status), "{answer}");
            let mut more = String::new();
            assert_eq!(stream.read_to_string(&mut more)?, 0, "the connection is closed");
        }
        fs::remove_dir_all(&folder)?;
        Ok(())
    }

    #[test]
    fn server_answers_for_a_file_that_is_not_made_yet_when_it_is() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("gambol-later-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("now.txt"), "now")?;
        let later = Later::of(&["later.txt".to_owned(), "never.txt".to_owned()]);
        let (port, _) = listen(&folder, 0, &later)?;
        let ask = |name: &str| -> Result<TcpStream> {
            let mut stream = TcpStream::connect(("127.0.0.1", port))?;
            stream.write_all(format!("GET /{name} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes())?;
            Ok(stream)
        };
        let waiting = (0..8).map(|_| ask("later.txt?x")).collect::<Result<Vec<_>>>()?;
        let never = ask("never.txt")?;
        read_until("now", &ask("now.txt")?)?;
        fs::write(folder.join("later.txt"), "then")?;
        later.end();
        for stream in waiting {
            assert!(read_until("then", &stream)?.contains("200 OK"));
        }
        assert!(read_until("not found", &never)?.contains(" 404 "));
        read_until("then", &ask("later.txt")?)?;
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
