//! Answers calls of operations of other libraries: a line [name, arguments…] is answered by {"value": …} or
//! {"fault": …}. Bytes are hexadecimal. Panics are faults, so operations unwrap their arguments and results.

use serde_json::{json, Value};
use std::io::{stdin, BufRead};
use std::panic::catch_unwind;

mod zkp;

/// Fault is the message and, if there is one, the participant to blame.
type Fault = (String, Option<u64>);

fn bytes(v: &Value) -> Vec<u8> {
    let s = v.as_str().unwrap();
    (0..s.len()).step_by(2).map(|i| u8::from_str_radix(&s[i..i + 2], 16).unwrap()).collect()
}

fn array<const N: usize>(v: &Value) -> [u8; N] {
    bytes(v).try_into().unwrap()
}

fn list(v: &Value) -> &Vec<Value> {
    v.as_array().unwrap()
}

fn hex(b: impl AsRef<[u8]>) -> Value {
    b.as_ref().iter().map(|c| format!("{c:02x}")).collect::<String>().into()
}

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    for line in stdin().lock().lines() {
        let call: Vec<Value> = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = catch_unwind(|| -> Result<Value, Fault> {
            let (library, operation) = call[0].as_str().unwrap().split_once('.').unwrap();
            match library {
                "musig2" => Ok(musig::call(operation, &call[1..])),
                "schnorr" => Ok(schnorr::call(operation, &call[1..])),
                "ecdsa" => Ok(zkp::ecdsa(operation, &call[1..])),
                "zkp" => Ok(zkp::musig(operation, &call[1..])),
                "halfagg" => Ok(zkp::halfagg(operation, &call[1..])),
                _ => panic!("no library {library}"),
            }
        });
        let fault = |text: String, blamed: Option<u64>| json!({"fault": {"text": text, "blamed": blamed}});
        println!(
            "{}",
            match answer {
                Ok(Ok(value)) => json!({"value": value}),
                Ok(Err((text, blamed))) => fault(text, blamed),
                Err(e) => fault(e.downcast_ref::<String>().cloned().unwrap_or("unwrap of None".into()), None),
            }
        );
    }
}

/// musig2. A context is [keys, tweaks, whether a tweak is x-only, message, aggregate nonce, null].
mod musig {
    use super::*;
    use ::musig2::*;
    use secp::{MaybeScalar, Point, Scalar};

    fn keys(a: &[Value]) -> KeyAggContext {
        let keys = KeyAggContext::new(list(&a[0]).iter().map(point)).unwrap();
        let tweaks = list(&a[1]).iter().zip(list(&a[2]));
        keys.with_tweaks(tweaks.map(|(t, x)| (scalar(t), x.as_bool().unwrap()))).unwrap()
    }

    fn point(v: &Value) -> Point {
        Point::try_from(&bytes(v)[..]).unwrap()
    }

    fn scalar(v: &Value) -> MaybeScalar {
        MaybeScalar::try_from(&bytes(v)[..]).unwrap()
    }

    fn secret(v: &Value) -> Scalar {
        Scalar::try_from(&bytes(v)[..]).unwrap()
    }

    pub fn call(operation: &str, a: &[Value]) -> Value {
        let session = || {
            let context = list(a.last().unwrap());
            (keys(context), bytes(&context[3]), AggNonce::from_bytes(&bytes(&context[4])).unwrap())
        };
        match operation {
            "key" => hex(keys(a).aggregated_pubkey::<Point>().serialize()),
            "nonce" => {
                let key: Point = keys(&a[2..]).aggregated_pubkey();
                let nonce = SecNonce::generate(array::<32>(&a[0]), secret(&a[1]), key, bytes(&a[5]), b"");
                json!([hex(nonce.serialize()), hex(nonce.public_nonce().serialize())])
            }
            "sum" => hex(AggNonce::sum(list(&a[0]).iter().map(|n| PubNonce::from_bytes(&bytes(n)).unwrap())).serialize()),
            "sign" => {
                let (keys, msg, sum) = session();
                let sig: MaybeScalar = sign_partial(&keys, secret(&a[1]), SecNonce::from_bytes(&bytes(&a[0])).unwrap(), &sum, msg).unwrap();
                hex(sig.serialize())
            }
            "verify" => {
                let (keys, msg, sum) = session();
                verify_partial(&keys, scalar(&a[0]), &sum, point(&a[2]), &PubNonce::from_bytes(&bytes(&a[1])).unwrap(), msg).is_ok().into()
            }
            "combine" => {
                let (keys, msg, sum) = session();
                let sig: CompactSignature = aggregate_partial_signatures(&keys, &sum, list(&a[0]).iter().map(scalar), msg).unwrap();
                hex(sig.serialize())
            }
            _ => panic!("no operation {operation}"),
        }
    }
}

/// Schnorr adaptor signatures of schnorr_fun.
mod schnorr {
    use super::*;
    use schnorr_fun::fun::{marker::EvenY, Point, Scalar};
    use schnorr_fun::{adaptor::*, Message, Signature};

    fn secret(v: &Value) -> Scalar {
        Scalar::from_bytes(array(v)).unwrap()
    }

    fn point(v: &Value) -> Point {
        Point::from_bytes(array(v)).unwrap()
    }

    fn pre(v: &Value) -> EncryptedSignature {
        let b: [u8; 65] = array(v);
        EncryptedSignature {
            R: Point::from_xonly_bytes(b[1..33].try_into().unwrap()).unwrap(),
            s_hat: Scalar::from_bytes(b[33..].try_into().unwrap()).unwrap(),
            needs_negation: b[0] == 3,
        }
    }

    pub fn call(operation: &str, a: &[Value]) -> Value {
        let schnorr = schnorr_fun::new_with_deterministic_nonces::<sha2::Sha256>();
        match operation {
            "presign" => {
                let key = schnorr.new_keypair(secret(&a[0]));
                let pre = schnorr.encrypted_sign(&key, &point(&a[1]), Message::raw(&bytes(&a[2])));
                let first = [2 + pre.needs_negation as u8];
                hex([&first[..], &pre.R.to_xonly_bytes(), &pre.s_hat.to_bytes()].concat())
            }
            "verify" => {
                let key: Point<EvenY> = Point::from_xonly_bytes(bytes(&a[1])[1..].try_into().unwrap()).unwrap();
                schnorr.verify_encrypted_signature(&key, &point(&a[2]), Message::raw(&bytes(&a[3])), &pre(&a[0])).into()
            }
            "adapt" => hex(schnorr.decrypt_signature(secret(&a[1]), pre(&a[0])).to_bytes()),
            "extract" => {
                let sig = Signature::from_bytes(array(&a[1])).unwrap();
                hex(schnorr.recover_decryption_key(&point(&a[2]), &pre(&a[0]), &sig).unwrap().to_bytes())
            }
            _ => panic!("no operation {operation}"),
        }
    }
}
