//! Encodes text files as binary and as compressed ones; shared by path with `tests/native/formats/`.

/// The binary form of a text file, with floats of 64 bits if `double`.
pub(crate) fn binary(text: &str, double: bool) -> Vec<u8> {
    let mut file = format!("xof 0303bin {}", if double { "0064" } else { "0032" }).into_bytes();
    let mut words = words(&text[16..]).into_iter().peekable();
    let word = |file: &mut Vec<u8>, token: u16| file.extend(token.to_le_bytes());
    let count = |file: &mut Vec<u8>, count: usize| file.extend((count as u32).to_le_bytes());
    while let Some(next) = words.next() {
        let keyword = KEYWORDS.iter().find(|(name, _)| *name == next).map(|&(_, token)| token);
        if let Some(token) = keyword {
            word(&mut file, token);
        } else if let Some(text) = next.strip_prefix('"') {
            word(&mut file, 2);
            count(&mut file, text.len());
            file.extend(text.bytes());
            words.next_if_eq(";");
            word(&mut file, 20);
        } else if let Some(guid) = next.strip_prefix('<') {
            word(&mut file, 5);
            let digits = guid.replace('-', "");
            let byte =
                |i: usize| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("hexadecimal digits");
            file.extend([3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15].map(byte));
        } else if is_number(&next) {
            let is_float = next.contains('.');
            let mut list = vec![next];
            while let Some(number) = words.next_if(|next| {
                next == ";" || next == "," || (is_number(next) && next.contains('.') == is_float)
            }) {
                list.extend(Some(number).filter(|number| is_number(number)));
            }
            word(&mut file, if is_float { 7 } else { 6 });
            count(&mut file, list.len());
            for number in list {
                let value: f64 = number.parse().expect("a number");
                match (is_float, double) {
                    (false, _) => file.extend((value as u32).to_le_bytes()),
                    (true, false) => file.extend((value as f32).to_le_bytes()),
                    (true, true) => file.extend(value.to_le_bytes()),
                }
            }
        } else {
            word(&mut file, 1);
            count(&mut file, next.len());
            file.extend(next.bytes());
        }
    }
    file
}

const KEYWORDS: [(&str, u16); 16] = [
    ("{", 10),
    ("}", 11),
    ("[", 14),
    ("]", 15),
    (".", 18),
    (",", 19),
    (";", 20),
    ("template", 31),
    ("WORD", 40),
    ("DWORD", 41),
    ("FLOAT", 42),
    ("DOUBLE", 43),
    ("STRING", 49),
    ("array", 52),
    ("UCHAR", 45),
    ("CHAR", 44),
];

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// The words of a text file without comments. Strings begin with a quotation mark, GUIDs with `<`.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, length) = match first {
            '"' | '<' => {
                let end = rest[1..].find(['"', '>']).expect("an end") + 1;
                (&rest[..end], end + 1)
            }
            '.' if rest.starts_with("...") => (".", 1),
            '{' | '}' | '[' | ']' | ',' | ';' => (&rest[..1], 1),
            _ => {
                let end = |letter: char| letter.is_whitespace() || "{}[],;\"<".contains(letter);
                let length = rest.find(end).unwrap_or(rest.len());
                (&rest[..length], length)
            }
        };
        words.push(word.to_owned());
        rest = rest[length..].trim_start();
    }
    words
}

/// The compressed form of a file. `deflate` makes a stream of deflate of a block.
pub(crate) fn compressed(file: &[u8], deflate: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut header = file[..16].to_vec();
    header[8..12].copy_from_slice(if &file[8..12] == b"txt " { b"tzip" } else { b"bzip" });
    let mut output = [&header[..], &(file.len() as u32).to_le_bytes()].concat();
    for block in file[16..].chunks(1 << 15) {
        let stream = deflate(block);
        output.extend((block.len() as u16).to_le_bytes());
        output.extend((stream.len() as u16 + 2).to_le_bytes());
        output.extend(b"CK");
        output.extend(stream);
    }
    output
}
