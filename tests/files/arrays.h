// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array.h"
#include "engine/formats/error.h"

#include <ATen/core/Tensor.h>
#include <QString>

#include <string>

namespace binade::test {

/// A file of tests/data/arrays, which make_arrays.py made.
std::string arrayFile(const std::string& name);

/// What that script calls ramp: 0, 0.5, 1, ... row-major, as `dtype`; 0, 1, 2, ... for whole numbers.
at::Tensor ramp(at::IntArrayRef shape, at::ScalarType dtype = at::kFloat);

/// Every row of an array.
at::Tensor all_rows(const files::Array& array);

/// The bytes of a file, and a file of these bytes in a folder of the test's own.
std::string bytesOf(const std::string& file);
std::string fileOf(const std::string& bytes, const std::string& name);

/// What `act` throws; kInternal "accepted" where it throws nothing.
template <class Act>
Error refusal(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCode::kInternal, "accepted");
}

inline bool says(const Error& error, const QString& words) {
  return QString::fromUtf8(error.what()).contains(words);
}

}  // namespace binade::test
