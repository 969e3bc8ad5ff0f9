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
                "frost" => frost::call(operation, &call[1..]),
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

/// frost-secp256k1-tr. Its participant i + 1 is BIP-445's participant i.
mod frost {
    use super::*;
    use frost_secp256k1_tr::{keys::*, rand_core::OsRng, *};
    use std::collections::BTreeMap;

    fn number(v: &Value) -> u16 {
        v.as_u64().unwrap() as u16
    }

    fn id(v: &Value) -> Identifier {
        Identifier::try_from(number(v) + 1).unwrap()
    }

    fn package(t: &Value, participant: &Value, share: &Value, key: &Value) -> KeyPackage {
        let share = SigningShare::deserialize(&bytes(share)).unwrap();
        KeyPackage::new(id(participant), share, share.into(), verifying(key), number(t))
    }

    fn verifying(key: &Value) -> VerifyingKey {
        VerifyingKey::deserialize(&bytes(key)).unwrap()
    }

    fn public<'a>(t: &Value, key: &Value, shares: impl Iterator<Item = (Identifier, &'a Value)>) -> PublicKeyPackage {
        let shares = shares.map(|(i, share)| (i, VerifyingShare::deserialize(&bytes(share)).unwrap()));
        PublicKeyPackage::new(shares.collect(), verifying(key), Some(number(t)))
    }

    pub fn call(operation: &str, a: &[Value]) -> Result<Value, Fault> {
        Ok(match operation {
            "deal" => {
                let key = SigningKey::deserialize(&bytes(&a[0])).unwrap();
                let (n, t) = (number(&a[1]), number(&a[2]));
                let (secret, public) = split(&key, n, t, IdentifierList::Default, &mut OsRng).unwrap();
                let secret: Vec<Value> = secret.values().map(|s| hex(s.signing_share().serialize())).collect();
                let shares: Vec<Value> = public.verifying_shares().values().map(|s| hex(s.serialize().unwrap())).collect();
                json!([hex(public.verifying_key().serialize().unwrap()), secret, shares])
            }
            "sign" => {
                let [t, ids, secrets, publics, key, msg, root] = a else { panic!("seven arguments") };
                let public = public(t, key, list(ids).iter().map(id).zip(list(publics)));
                let packages: Vec<_> = list(ids).iter().zip(list(secrets)).map(|(i, s)| package(t, i, s, key)).collect();
                let (mut nonces, mut commitments) = (Vec::new(), BTreeMap::new());
                for p in &packages {
                    let (nonce, commitment) = round1::commit(p.signing_share(), &mut OsRng);
                    nonces.push(nonce);
                    commitments.insert(*p.identifier(), commitment);
                }
                let request = SigningPackage::new(commitments, &bytes(msg));
                let root = (!root.is_null()).then(|| bytes(root));
                let shares = packages.iter().zip(&nonces).map(|(p, nonce)| {
                    let share = match &root {
                        Some(root) => round2::sign_with_tweak(&request, nonce, p, Some(root)),
                        None => round2::sign(&request, nonce, p),
                    };
                    (*p.identifier(), share.unwrap())
                });
                let shares = shares.collect();
                let signature = match &root {
                    Some(root) => aggregate_with_tweak(&request, &shares, &public, Some(root)),
                    None => aggregate(&request, &shares, &public),
                };
                let blame = |e: Error| (e.to_string(), e.culprits().first().map(|i| *i.serialize().last().unwrap() as u64 - 1));
                hex(signature.map_err(blame)?.serialize().unwrap())
            }
            "verify" => {
                let key = VerifyingKey::deserialize(&[vec![2], bytes(&a[0])].concat()).unwrap();
                key.verify(&bytes(&a[1]), &Signature::deserialize(&bytes(&a[2])).unwrap()).is_ok().into()
            }
            "repair1" => {
                let [t, helpers, lost, helper, share, key] = a else { panic!("six arguments") };
                let helpers: Vec<Identifier> = list(helpers).iter().map(id).collect();
                let parts = repairable::repair_share_part1::<Secp256K1Sha256TR, _>(&helpers, &package(t, helper, share, key), &mut OsRng, id(lost)).unwrap();
                helpers.iter().map(|i| hex(parts[i].serialize())).collect()
            }
            "repair2" => {
                let parts: Vec<_> = list(&a[0]).iter().map(|d| repairable::Delta::deserialize(&bytes(d)).unwrap()).collect();
                hex(repairable::repair_share_part2(&parts).serialize())
            }
            "repair3" => {
                let [sums, lost, t, key, ids, publics] = a else { panic!("six arguments") };
                let sums: Vec<_> = list(sums).iter().map(|s| repairable::Sigma::deserialize(&bytes(s)).unwrap()).collect();
                let public = public(t, key, list(ids).iter().map(id).zip(list(publics)));
                hex(repairable::repair_share_part3(&sums, id(lost), &public).unwrap().signing_share().serialize())
            }
            _ => panic!("no operation {operation}"),
        })
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
