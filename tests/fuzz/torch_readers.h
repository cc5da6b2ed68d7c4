// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/reader.h"

#include <cstddef>
#include <cstdint>

// The readers with LibTorch, and their entry points for libFuzzer.

namespace binade::fuzz {

const Reader& csv_reader();
const Reader& idx_reader();
const Reader& npy_reader();
const Reader& npz_reader();
/// A pickle stream without an archive.
const Reader& pickle_reader();
const Reader& safetensors_reader();
/// What torch.save writes: an archive with a pickle.
const Reader& torch_file_reader();
const Reader& torchscript_reader();

int one_csv(const std::uint8_t* data, std::size_t size);
int one_idx(const std::uint8_t* data, std::size_t size);
int one_npy(const std::uint8_t* data, std::size_t size);
int one_npz(const std::uint8_t* data, std::size_t size);
int one_pickle(const std::uint8_t* data, std::size_t size);
int one_safetensors(const std::uint8_t* data, std::size_t size);
int one_torch_file(const std::uint8_t* data, std::size_t size);
int one_torchscript(const std::uint8_t* data, std::size_t size);

}  // namespace binade::fuzz
