// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/file_check.h"

#include "engine/confine/file_broker.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/input_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>

namespace binade::graph {

namespace {

constexpr const char* kHowToMake = "Save the model with torch.jit.script(model).save(FILE) and open that file.";

/// Kind of a file from its first bytes, if it is a known kind that cannot be run.
std::optional<std::string> kind_of_other_file(const std::string& head) {
  const auto starts = [&](std::string_view magic) { return head.compare(0, magic.size(), magic) == 0; };
  if (head.size() > 9 && head[8] == '{' && head[6] == 0 && head[7] == 0) {
    return "a safetensors file: it holds tensors, but no code to run";
  }
  if (starts("\x93NUMPY")) return "a NumPy array";
  if (starts("SQLite format 3")) return "a SQLite database (perhaps a run file: open it with binade)";
  if (starts("\x80\x02") || starts("\x80\x03") || starts("\x80\x04") || starts("\x80\x05")) {
    return "a Python pickle, as old versions of torch.save write them";
  }
  if (starts("\x89HDF")) return "an HDF5 file";
  if (starts("\x1f\x8b")) return "a gzip archive";
  if (starts("{")) return "a text file that looks like JSON";
  return std::nullopt;
}

std::string read_head(const std::string& file) {
  check_input_file(file);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) refuse_missing_file(file);
  if (std::filesystem::is_directory(file, error)) {
    throw Error(ErrorCode::kBadFile, file + " is a folder, not a TorchScript file", kHowToMake);
  }
  // A confined process may read back what it has just written, but cannot open it by itself.
  const int descriptor = confine::open_file(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    const FileRefusal why = file_refusal(file, errno, FileUse::kRead, "Check its permissions.");
    throw Error(ErrorCode::kBadFile, file + " cannot be opened for reading: " + why.reason, why.hint);
  }
  std::string head(128, '\0');
  const ssize_t count = ::read(descriptor, head.data(), head.size());
  ::close(descriptor);
  head.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return head;
}

/// Kind of an archive without TorchScript's records, as the end of a sentence.
std::string what_archive_it_is(const ModelArchive& archive) {
  if (archive.holds_anywhere(".npy")) return " is not a TorchScript file: it holds NumPy's arrays";
  if (!archive.holds_anywhere("data.pkl")) return " is a ZIP archive, but not one that torch.jit.save wrote";
  if (archive.pickle_anywhere().find("torch.nn.modules") != std::string::npos) {
    return " is a pickled Python model (torch.save of the whole model): only Python can run it";
  }
  return " holds tensors saved with torch.save (a state dict or a checkpoint), not a model: there is no code in it to "
         "run";
}

}  // namespace

ModelArchive open_model_archive(const std::string& file) {
  const std::string head = read_head(file);
  if (head.empty()) throw Error(ErrorCode::kBadFile, file + " is empty", kHowToMake);
  if (head.compare(0, 4, "PK\x03\x04") != 0) {
    const std::string kind = kind_of_other_file(head).value_or("not an archive of the kind torch.jit.save writes");
    const bool describes = head.starts_with('{');
    throw Error(ErrorCode::kBadFile, file + " is not a TorchScript file: it is " + kind,
                describes ? "A run description names its model under \"model\": give that file." : kHowToMake);
  }
  ModelArchive archive(file);
  if (!archive.has("constants.pkl")) {
    throw Error(ErrorCode::kBadFile, file + what_archive_it_is(archive), kHowToMake);
  }
  return archive;
}

}  // namespace binade::graph
