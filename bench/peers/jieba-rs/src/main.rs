//! jieba-rs: cuts every text with the hidden Markov model, some times; tells the least seconds.
//! jieba-rs-peer INPUT.jsonl REPEATS
use jieba_rs::Jieba;
use std::io::{BufRead, BufReader};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let begin = Instant::now();
    let jieba = Jieba::new();
    let load = begin.elapsed().as_secs_f64();
    let mut texts: Vec<String> = Vec::new();
    for line in BufReader::new(std::fs::File::open(&arguments[1])?).lines() {
        let record: serde_json::Value = serde_json::from_str(&line?)?;
        texts.push(record["text"].as_str().ok_or("no text")?.to_string());
    }
    let (mut least, mut words) = (f64::INFINITY, 0);
    for _ in 0..arguments[2].parse::<usize>()? {
        let begin = Instant::now();
        words = texts.iter().map(|text| jieba.cut(text, true).len()).sum();
        least = least.min(begin.elapsed().as_secs_f64());
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{}", serde_json::json!({"seconds": least, "bytes": bytes, "words": words, "load_ms": 1e3 * load}));
    Ok(())
}
