// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/reader.h"

#include <cstddef>
#include <cstdint>

// The readers without LibTorch, and their entry points for libFuzzer.

namespace binade::fuzz {

const Reader& lesson_reader();
const Reader& policy_reader();
const Reader& run_description_reader();
const Reader& run_file_reader();
/// What an engine or an explorer sends.
const Reader& wire_reader();
const Reader& zip_reader();

int one_lesson(const std::uint8_t* data, std::size_t size);
int one_policy(const std::uint8_t* data, std::size_t size);
int one_run_description(const std::uint8_t* data, std::size_t size);
int one_run_file(const std::uint8_t* data, std::size_t size);
int one_wire(const std::uint8_t* data, std::size_t size);
int one_zip(const std::uint8_t* data, std::size_t size);

}  // namespace binade::fuzz
