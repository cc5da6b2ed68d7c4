// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Compiles the function that follows for AVX-512 (x86-64-v4), AVX2 (x86-64-v3) and the baseline; the dynamic loader
/// selects one when the program starts. Meant for functions whose loop vectorises, in files compiled with -O3. Disabled
/// under the address and the thread sanitizer: the loader selects before their start-up.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BINADE_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BINADE_CLONES
#endif
