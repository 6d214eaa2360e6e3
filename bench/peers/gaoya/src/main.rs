//! gaoya: MinHash of character shingles, its LSH index, pairs by estimated Jaccard.
//! gaoya-peer INPUT.jsonl OUTPUT.tsv [shingle=5 size=128 bands=64 threshold=0.3]
use fnv::FnvBuildHasher;
use gaoya::minhash::{MinHashIndex, MinHasher, MinHasher32, SmallVecContainer};
use gaoya::text::shingle_text;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let settings: HashMap<&str, &str> = arguments[3..].iter().filter_map(|a| a.split_once('=')).collect();
    let number = |key: &str, default: usize| settings.get(key).map_or(default, |v| v.parse().expect(key));
    let (shingle, size, bands) = (number("shingle", 5), number("size", 128), number("bands", 64));
    let threshold: f64 = settings.get("threshold").map_or(0.3, |v| v.parse().expect("threshold"));

    let hasher = MinHasher32::new_with_hasher(size, FnvBuildHasher::default());
    let mut index: MinHashIndex<u32, u32, SmallVecContainer<u32, 4>> =
        MinHashIndex::new_index(bands, size / bands, threshold);
    let mut ids: Vec<String> = Vec::new();
    let mut output = BufWriter::new(File::create(&arguments[2])?);
    writeln!(output, "id_a\tid_b\testimate")?;
    let mut reader = BufReader::with_capacity(1 << 20, File::open(&arguments[1])?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        let record: serde_json::Value = serde_json::from_slice(&line)?;
        line.clear();
        let id = record["id"].as_str().ok_or("no id")?.to_string();
        let text = record["text"].as_str().ok_or("no text")?.to_lowercase();
        let sketch = if text.chars().nth(shingle).is_some() {
            hasher.create_signature(shingle_text(&text, shingle))
        } else {
            hasher.create_signature(std::iter::once(text.as_str()))
        };
        for (other, estimate) in index.query_owned_return_similarity(&sketch) {
            writeln!(output, "{}\t{}\t{:.4}", ids[other as usize], id, estimate)?;
        }
        index.insert(ids.len() as u32, sketch);
        ids.push(id);
    }
    output.flush()?;
    Ok(())
}
