// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/reader.h"

#include "engine/formats/error.h"
#include "tests/support/mutations.h"

namespace binade::fuzz {

Outcome outcome_of(const Reader& reader, const std::string& bytes) {
  try {
    return {true, reader.read(bytes)};
  } catch (const Fault&) {
    throw;
  } catch (const Error& error) {
    const std::string message = error.what();
    if (error.code == ErrorCode::kInternal) throw Fault("an internal error: " + message);
    if (message.empty()) throw Fault("an error without a message");
    if (message.find(reader.named) == std::string::npos) {
      throw Fault("a message that does not name the file " + reader.named + ": " + message);
    }
    return {false, message};
  } catch (const std::exception& error) {
    throw Fault(std::string("an exception that is not binade::Error: ") + error.what());
  }
}

int one(const Reader& reader, const std::uint8_t* data, std::size_t size) {
  outcome_of(reader, std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

Mutation damaged_bytes(const std::string& bytes, std::uint32_t seed) {
  return {test::Mutator(seed).bytes(bytes)};
}

Mutation damaged_json(const std::string& bytes, std::uint32_t seed) {
  const std::size_t brace = bytes.find('{');  // a byte order mark may precede it
  const std::string text = brace == std::string::npos ? bytes : bytes.substr(brace);
  if (seed % 2 == 0 || !nlohmann::ordered_json::accept(text)) return damaged_bytes(bytes, seed);
  return {test::Mutator(seed).json(text)};
}

}  // namespace binade::fuzz
