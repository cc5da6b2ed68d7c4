// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Before a function whose loop the compiler vectorises: it is compiled for several instruction sets, and the loader
/// takes what the machine has. Its file is compiled with -O3. The address sanitizer's start-up cannot have it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define BINADE_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BINADE_CLONES
#endif
