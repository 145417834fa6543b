// An example reader of the rays that `alfil compile --plain` writes (docs/tables.md), in Rust, without crates:
//
//     rustc -O docs/read_rays.rs
//     ./read_rays rays.json < positions.txt
//
// Positions and answers are those of read_rays.js. The first half is a small reader of JSON; a program that has one
// (serde_json) needs the second half only.
use std::io::BufRead;

// A map is a list of keys and values in turn; true is the number 1, false and null are 0.
enum Json {
    Number(i64),
    Text(String),
    List(Vec<Json>),
}

fn read_json(text: &[u8], at: &mut usize) -> Json {
    while b" \n\r\t,:".contains(&text[*at]) {
        *at += 1;
    }
    match text[*at] {
        b'"' => {
            let mut bytes = Vec::new();
            *at += 1;
            while text[*at] != b'"' {
                *at += usize::from(text[*at] == b'\\');
                bytes.push(text[*at]);
                *at += 1;
            }
            *at += 1;
            Json::Text(String::from_utf8(bytes).expect("the file is UTF-8"))
        }
        b'[' | b'{' => {
            let mut items = Vec::new();
            *at += 1;
            loop {
                while b" \n\r\t,:".contains(&text[*at]) {
                    *at += 1;
                }
                if b"]}".contains(&text[*at]) {
                    break;
                }
                items.push(read_json(text, at));
            }
            *at += 1;
            Json::List(items)
        }
        _ => {
            let start = *at;
            while text[*at].is_ascii_alphanumeric() || text[*at] == b'-' {
                *at += 1;
            }
            let word = std::str::from_utf8(&text[start..*at]).unwrap();
            Json::Number(word.parse().unwrap_or(i64::from(word == "true")))
        }
    }
}

impl Json {
    fn number(&self) -> i64 {
        if let Json::Number(number) = self { *number } else { 0 }
    }
    fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }
    fn items(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }
    fn get(&self, key: &str) -> &Json {
        let pair = self.items().chunks(2).find(|pair| pair[0].text() == key);
        &pair.expect("the file is of this format")[1]
    }
}

// From here on: what the numbers mean.
const HOME: i64 = 128;

fn class_of(standing: u8) -> i64 {
    b".xko*".iter().position(|&each| each == standing).map_or(0, |bit| 1 << bit)
}

fn allowed(when: &Json, made: i64, turn: i64) -> bool {
    when.items().chunks(2).all(|pair| match (pair[0].text(), pair[1].number()) {
        ("move", value) => made == value - 1,
        ("every", value) => (made + 1) % value == 0,
        ("turn", value) => turn % value == 0,
        ("trail", _) => true,
        _ => false, // see docs/tables.md
    })
}

fn follow(kinds: &[Json], ray: &Json, at: usize, board: &[u8], moves: &mut Vec<String>) {
    let mut captures: Vec<usize> = Vec::new();
    for step in ray.items() {
        let square = step.items()[0].number() as usize;
        let kind = &kinds[step.items()[1].number() as usize];
        let standing = if square == at { HOME } else { class_of(board[square]) };
        if kind.get("ends").number() & standing != 0 {
            let en_passant = board[square] == b'*' && kind.get("en_passant").number() == 1;
            let captured = b"xko".contains(&board[square]) || en_passant;
            if !(captured && captures.contains(&square)) {
                let all = captures.iter().chain(captured.then_some(&square));
                moves.push(all.fold(square.to_string(), |text, each| format!("{text}x{each}")));
            }
        }
        if kind.get("on").number() & standing == 0 {
            return;
        }
        if kind.get("takes").number() == 1 {
            captures.push(square);
        }
    }
}

fn main() {
    let name = std::env::args().nth(1).expect("usage: read_rays rays.json < positions.txt");
    let tables = read_json(&std::fs::read(name).expect("the file can be read"), &mut 0);
    let kinds = tables.get("kinds").items();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words[index].parse::<i64>().expect("a number");
        let (side, at, board) = (number(1), number(2) as usize, words[5].as_bytes());
        let piece = tables.get("pieces").items().iter().find(|piece| piece.get("code").text() == words[0]);
        let mut moves = Vec::new();
        for part in piece.expect("a code of the tables").get("parts").items() {
            if allowed(part.get("when"), number(3), number(4)) {
                let squares = part.get(if side == 1 { "second" } else { "first" }).items();
                for ray in squares[at].items() {
                    follow(kinds, ray, at, board, &mut moves);
                }
            }
        }
        println!("{}", moves.join(" "));
    }
}
