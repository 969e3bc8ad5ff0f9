// Calls the five functions. Each line of the input has the number of a function and the arguments in hexadecimal, with
// "-" for an empty argument. The program prints the result of each call, or "NULL".
#include <stdint.h>
#include <stdio.h>

#include "wrapper.h"

// Replacements, which do nothing, for the functions of libFuzzer that code compiled for libFuzzer calls.
#define HOOK(name) void name(void) {}
HOOK(__sanitizer_cov_8bit_counters_init)
HOOK(__sanitizer_cov_pcs_init)
HOOK(__sanitizer_cov_trace_cmp1)
HOOK(__sanitizer_cov_trace_cmp2)
HOOK(__sanitizer_cov_trace_cmp4)
HOOK(__sanitizer_cov_trace_cmp8)
HOOK(__sanitizer_cov_trace_const_cmp1)
HOOK(__sanitizer_cov_trace_const_cmp2)
HOOK(__sanitizer_cov_trace_const_cmp4)
HOOK(__sanitizer_cov_trace_const_cmp8)
HOOK(__sanitizer_weak_hook_strcmp)

int main(void) {
	int function;
	static char hex[3][1024];
	while (scanf("%d %1023s %1023s %1023s", &function, hex[0], hex[1], hex[2]) == 4) {
		static char data[3][512];
		ByteArray a[3];
		for (int i = 0; i < 3; i++) {
			unsigned byte;
			a[i] = (ByteArray){data[i], 0};
			while (sscanf(hex[i] + 2 * a[i].length, "%2x", &byte) == 1) data[i][a[i].length++] = byte;
		}
		char *text = NULL;
		switch (function) {
		case 0: text = P256k1PrivateToPublicKey(a[0]); break;
		case 1: text = P256k1SignCompact(a[0], a[1]); break;
		case 2: text = P256k1SignDER(a[0], a[1]); break;
		case 3: printf("%d\n", P256k1SignVerify(a[0], a[1], a[2])); continue;
		case 4: text = P256k1ECDH(a[0], a[1]); break;
		}
		printf("%s\n", text ? text : "NULL");
		free(text);
	}
}
