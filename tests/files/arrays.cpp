// SPDX-License-Identifier: Apache-2.0
#include "tests/files/arrays.h"

#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/ops/arange.h>

#include <fstream>
#include <sstream>

namespace binade::test {

std::string arrayFile(const std::string& name) {
  return BINADE_TEST_DATA "/arrays/" + name;
}

at::Tensor ramp(at::IntArrayRef shape, at::ScalarType dtype) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  at::Tensor numbers = at::arange(count, at::kDouble);
  if (!c10::isIntegralType(dtype, true)) numbers = numbers.div(2);
  return numbers.reshape(shape).to(dtype);
}

at::Tensor all_rows(const files::Array& array) {
  return files::take_rows(array, at::arange(array.rows(), at::kLong));
}

std::string bytesOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::string fileOf(const std::string& bytes, const std::string& name) {
  const std::string file = temporaryFolder().toStdString() + "/" + name;
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file;
}

}  // namespace binade::test
