//! libsecp256k1-zkp: ECDSA adaptors by the crate, MuSig2 and half-aggregation by the functions of the C library in it.

use super::*;
use secp256k1_zkp::{ecdsa::Signature, EcdsaAdaptorSignature, Message, PublicKey, Secp256k1, SecretKey};
use std::ptr::{null, null_mut};

/// ECDSA adaptor signatures.
pub fn ecdsa(operation: &str, a: &[Value]) -> Value {
    let secp = Secp256k1::new();
    let secret = |v| SecretKey::from_slice(&bytes(v)).unwrap();
    let point = |v| PublicKey::from_slice(&bytes(v)).unwrap();
    let pre = |v| EcdsaAdaptorSignature::from_slice(&bytes(v)).unwrap();
    match operation {
        "presign" => hex(EcdsaAdaptorSignature::encrypt_no_aux_rand(&secp, &Message::from_digest(array(&a[2])), &secret(&a[0]), &point(&a[1]))),
        "verify" => pre(&a[0]).verify(&secp, &Message::from_digest(array(&a[3])), &point(&a[1]), &point(&a[2])).is_ok().into(),
        "adapt" => hex(pre(&a[0]).decrypt(&secret(&a[1])).unwrap().serialize_compact()),
        "extract" => hex(pre(&a[0]).recover(&secp, &Signature::from_compact(&bytes(&a[1])).unwrap(), &point(&a[2])).unwrap().secret_bytes()),
        _ => panic!("no operation {operation}"),
    }
}

type In = *const u8;
type Out = *mut u8;

macro_rules! library {
    ($($name:ident($($argument:ty),*);)*) => {
        extern "C" {
            $(#[link_name = concat!("rustsecp256k1zkp_v0_10_0_", stringify!($name))] fn $name(_: In, $(_: $argument),*) -> i32;)*
            #[link_name = "rustsecp256k1zkp_v0_10_0_context_preallocated_create"] fn context_create(_: *mut u64, flags: u32) -> In;
        }
    };
}

library! {
    ec_pubkey_parse(Out, In, usize);
    ec_pubkey_serialize(Out, *mut usize, In, u32);
    xonly_pubkey_parse(Out, In);
    keypair_create(Out, In);
    musig_pubkey_agg(Out, Out, Out, *const In, usize);
    musig_pubkey_get(Out, In);
    musig_pubkey_ec_tweak_add(Out, Out, In);
    musig_pubkey_xonly_tweak_add(Out, Out, In);
    musig_nonce_gen(Out, Out, In, In, In, In, In, In);
    musig_pubnonce_parse(Out, In);
    musig_pubnonce_serialize(Out, In);
    musig_nonce_agg(Out, *const In, usize);
    musig_aggnonce_parse(Out, In);
    musig_aggnonce_serialize(Out, In);
    musig_nonce_process(Out, In, In, In, In);
    musig_nonce_parity(*mut i32, In);
    musig_partial_sign(Out, Out, In, In, In);
    musig_partial_sig_parse(Out, In);
    musig_partial_sig_serialize(Out, In);
    musig_partial_sig_verify(In, In, In, In, In);
    musig_partial_sig_agg(Out, In, *const In, usize);
    musig_adapt(Out, In, In, i32);
    musig_extract_adaptor(Out, In, In, i32);
    schnorrsig_inc_aggregate(Out, *mut usize, In, In, In, usize, usize);
    schnorrsig_aggverify(In, In, usize, In, usize);
}

fn context() -> In {
    thread_local!(static CONTEXT: In = unsafe { context_create(Box::leak(Box::new([0u64; 1024])).as_mut_ptr(), 1) });
    CONTEXT.with(|c| *c)
}

/// made returns the N bytes that a function of the library writes.
fn made<const N: usize>(write: impl FnOnce(In, Out) -> i32) -> [u8; N] {
    let mut object = [0; N];
    assert_eq!(write(context(), object.as_mut_ptr()), 1, "a function of the library returns 0");
    object
}

fn pointers<const N: usize>(objects: &[[u8; N]]) -> Vec<In> {
    objects.iter().map(|o| o.as_ptr()).collect()
}

fn pubkey(v: &Value) -> [u8; 64] {
    made(|c, out| unsafe { ec_pubkey_parse(c, out, bytes(v).as_ptr(), 33) })
}

fn nonce(v: &Value) -> [u8; 132] {
    made(|c, out| unsafe { musig_pubnonce_parse(c, out, array::<66>(v).as_ptr()) })
}

fn partial(v: &Value) -> [u8; 36] {
    made(|c, out| unsafe { musig_partial_sig_parse(c, out, array::<32>(v).as_ptr()) })
}

/// keys returns the cache of the keys and tweaks with which a begins.
fn keys(a: &[Value]) -> [u8; 197] {
    let keys: Vec<_> = list(&a[0]).iter().map(pubkey).collect();
    let mut cache = made(|c, out| unsafe { musig_pubkey_agg(c, null_mut(), null_mut(), out, pointers(&keys).as_ptr(), keys.len()) });
    for (tweak, x_only) in list(&a[1]).iter().zip(list(&a[2])) {
        let add = if x_only == true { musig_pubkey_xonly_tweak_add } else { musig_pubkey_ec_tweak_add };
        assert_eq!(unsafe { add(context(), null_mut(), cache.as_mut_ptr(), array::<32>(tweak).as_ptr()) }, 1);
    }
    cache
}

/// MuSig2. A context is [keys, tweaks, whether a tweak is x-only, message, aggregate nonce, adaptor point or null].
pub fn musig(operation: &str, a: &[Value]) -> Value {
    let session = || -> ([u8; 197], [u8; 133]) {
        let context = list(a.last().unwrap());
        let cache = keys(context);
        let sum: [u8; 132] = made(|c, out| unsafe { musig_aggnonce_parse(c, out, array::<66>(&context[4]).as_ptr()) });
        let adaptor = (!context[5].is_null()).then(|| pubkey(&context[5]));
        let adaptor = adaptor.as_ref().map_or(null(), |p| p.as_ptr());
        (cache, made(|c, out| unsafe { musig_nonce_process(c, out, sum.as_ptr(), array::<32>(&context[3]).as_ptr(), cache.as_ptr(), adaptor) }))
    };
    unsafe {
        match operation {
            "key" => {
                let key: [u8; 64] = made(|c, out| musig_pubkey_get(c, out, keys(a).as_ptr()));
                hex(made::<33>(|c, out| ec_pubkey_serialize(c, out, &mut 33, key.as_ptr(), 1 << 8 | 1 << 1)))
            }
            "nonce" => {
                let key: [u8; 96] = made(|c, out| keypair_create(c, out, array::<32>(&a[1]).as_ptr()));
                let (public, cache) = (&key[32..], keys(&a[2..])); // a pair is the secret and the public key
                let mut secret = [0; 132];
                let nonce: [u8; 132] = made(|c, out| {
                    musig_nonce_gen(
                        c,
                        secret.as_mut_ptr(),
                        out,
                        array::<32>(&a[0]).as_ptr(),
                        key.as_ptr(),
                        public.as_ptr(),
                        array::<32>(&a[5]).as_ptr(),
                        cache.as_ptr(),
                        null(),
                    )
                });
                json!([hex(secret), hex(made::<66>(|c, out| musig_pubnonce_serialize(c, out, nonce.as_ptr())))])
            }
            "sum" => {
                let nonces: Vec<_> = list(&a[0]).iter().map(nonce).collect();
                let sum: [u8; 132] = made(|c, out| musig_nonce_agg(c, out, pointers(&nonces).as_ptr(), nonces.len()));
                hex(made::<66>(|c, out| musig_aggnonce_serialize(c, out, sum.as_ptr())))
            }
            "sign" => {
                let (cache, session) = session();
                let key: [u8; 96] = made(|c, out| keypair_create(c, out, array::<32>(&a[1]).as_ptr()));
                let sig: [u8; 36] = made(|c, out| musig_partial_sign(c, out, array::<132>(&a[0]).as_mut_ptr(), key.as_ptr(), cache.as_ptr(), session.as_ptr()));
                hex(made::<32>(|c, out| musig_partial_sig_serialize(c, out, sig.as_ptr())))
            }
            "verify" => {
                let (cache, session) = session();
                (musig_partial_sig_verify(context(), partial(&a[0]).as_ptr(), nonce(&a[1]).as_ptr(), pubkey(&a[2]).as_ptr(), cache.as_ptr(), session.as_ptr())
                    == 1)
                    .into()
            }
            "combine" => {
                let (_, session) = session();
                let sigs: Vec<_> = list(&a[0]).iter().map(partial).collect();
                let sig: [u8; 64] = made(|c, out| musig_partial_sig_agg(c, out, session.as_ptr(), pointers(&sigs).as_ptr(), sigs.len()));
                if list(&a[1])[5].is_null() {
                    return hex(sig);
                }
                let mut odd = 0;
                assert_eq!(musig_nonce_parity(context(), &mut odd, session.as_ptr()), 1);
                hex([&[2 + odd as u8][..], &sig].concat())
            }
            "adapt" | "extract" => {
                let (pre, other) = (bytes(&a[0]), bytes(&a[1]));
                let (odd, pre) = (pre[0] as i32 - 2, pre[1..].as_ptr());
                match operation {
                    "adapt" => hex(made::<64>(|c, out| musig_adapt(c, out, pre, other.as_ptr(), odd))),
                    _ => hex(made::<32>(|c, out| musig_extract_adaptor(c, out, other.as_ptr(), pre, odd))),
                }
            }
            _ => panic!("no operation {operation}"),
        }
    }
}

/// Half-aggregation, with the arguments of BIP-458's reference.
pub fn halfagg(operation: &str, a: &[Value]) -> Value {
    let column = |rows: &Value, i: usize| -> Vec<u8> { list(rows).iter().flat_map(|row| bytes(&row[i])).collect() };
    let keys = |rows: &[&Value]| -> Vec<u8> {
        let keys = rows.iter().flat_map(|v| list(v)).map(|row| array::<32>(&row[0]));
        keys.flat_map(|key| made::<64>(|c, out| unsafe { xonly_pubkey_parse(c, out, key.as_ptr()) })).collect()
    };
    match operation {
        "Aggregate" => halfagg("IncAggregate", &[hex([0; 32]), json!([]), a[0].clone()]),
        "IncAggregate" => {
            let (old, new) = (list(&a[1]).len(), list(&a[2]).len());
            let mut sum = bytes(&a[0]);
            let mut size = 32 * (old + new + 1);
            sum.resize(size, 0);
            let messages = [column(&a[1], 1), column(&a[2], 1)].concat();
            let (keys, sigs) = (keys(&[&a[1], &a[2]]), column(&a[2], 2));
            let ok = unsafe { schnorrsig_inc_aggregate(context(), sum.as_mut_ptr(), &mut size, keys.as_ptr(), messages.as_ptr(), sigs.as_ptr(), old, new) };
            assert_eq!(ok, 1);
            hex(sum)
        }
        "VerifyAggregate" => {
            let (sum, keys, messages) = (bytes(&a[0]), keys(&[&a[1]]), column(&a[1], 1));
            let ok = unsafe { schnorrsig_aggverify(context(), keys.as_ptr(), messages.as_ptr(), list(&a[1]).len(), sum.as_ptr(), sum.len()) };
            (ok == 1).into()
        }
        _ => panic!("no operation {operation}"),
    }
}
