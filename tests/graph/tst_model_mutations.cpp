// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/graph/samples.h"
#include "tests/graph/zip_records.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>

using namespace binade;

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
  return end == 0 ? 0 : random() % end;
}

/// Everything of a model that an outcome depends on, as text.
std::string described(const graph::Model& model) {
  std::string all = graph::FlatGraph(model).graph().toString(false);
  const auto add = [&](const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
    for (const auto& [name, tensor] : tensors) {
      const at::Tensor whole = tensor.contiguous();
      all += name + c10::toString(whole.scalar_type());
      all.append(static_cast<const char*>(whole.const_data_ptr()), whole.nbytes());
    }
  };
  add(model.parameters());
  add(model.buffers());
  return all;
}

struct Mutation {
  std::string bytes;
  bool checksums;  ///< whether a checksum tells that something changed
};

void flip(std::string& bytes, Random& random, std::size_t count) {
  for (std::size_t i = 0; i < count && !bytes.empty(); ++i) {
    char& byte = bytes[below(random, bytes.size())];
    byte = static_cast<char>(byte ^ 1 << below(random, 8));
  }
}

/// Takes away, doubles or moves a piece of a text, or puts a piece of another kind there.
void edit(std::string& text, Random& random) {
  static const std::vector<std::string> kPieces{"(",
                                                ")",
                                                ", ",
                                                "torch.",
                                                "self",
                                                "ops.aten.",
                                                "Tensor",
                                                "None",
                                                "[0]",
                                                "-1",
                                                "9999999999",
                                                "\n",
                                                "  ",
                                                "def ",
                                                "\"",
                                                "class ",
                                                "return ",
                                                "x",
                                                "List[int]",
                                                "annotate(",
                                                "unchecked_cast(",
                                                "uninitialized(Tensor)",
                                                "CONSTANTS.c7",
                                                "__torch__.",
                                                "\\\n",
                                                "'''",
                                                "\t",
                                                ":",
                                                "=",
                                                ".",
                                                "if ",
                                                "for x in range(2):\n      ",
                                                "1e999",
                                                "lambda",
                                                "\x80"};
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t size = std::min(text.size() - at, 1 + below(random, 24));
  const std::string piece = text.substr(at, size);
  switch (below(random, 5)) {
    case 0:
      text.erase(at, size);
      break;
    case 1:
      text.insert(at, piece);
      break;
    case 2:
      text.erase(at, size);
      text.insert(below(random, text.size() + 1), piece);
      break;
    case 3:
      text.insert(at, kPieces[below(random, kPieces.size())]);
      break;
    default:
      text.replace(at, size, kPieces[below(random, kPieces.size())]);
  }
}

bool is_code(const test::ZipRecord& record) {
  return record.name.ends_with(".py");
}

/// Swaps, doubles, drops, renames, shortens or lengthens a record.
void rearrange(std::vector<test::ZipRecord>& records, Random& random) {
  const std::size_t first = below(random, records.size());
  const std::size_t second = below(random, records.size());
  switch (below(random, 6)) {
    case 0:
      std::swap(records[first].bytes, records[second].bytes);
      break;
    case 1:
      records.push_back(records[first]);
      break;
    case 2:
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(first));
      break;
    case 3:
      records[first].name = records[second].name + (below(random, 2) == 0 ? "x" : "");
      break;
    case 4:
      records[first].bytes.resize(below(random, records[first].bytes.size() + 1));
      break;
    default:
      records[first].bytes += records[second].bytes;
  }
}

/// Writes a number into a field of the directory: method, checksum, sizes, offset, lengths of names.
void fake_directory(std::string& bytes, Random& random) {
  static constexpr std::array<std::pair<int, int>, 9> kFields{
      {{8, 2}, {10, 2}, {16, 4}, {20, 4}, {24, 4}, {28, 2}, {30, 2}, {32, 2}, {42, 4}}};
  static constexpr std::array<std::uint64_t, 7> kNumbers{0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF, 100};
  const auto entries = test::directory_entries(bytes);
  const bool at_end = below(random, 4) == 0;
  const std::size_t entry = at_end ? bytes.size() - 22 : entries[below(random, entries.size())];
  const auto [offset, size] =
      at_end ? std::make_pair(8 + 2 * static_cast<int>(below(random, 7)), 2) : kFields[below(random, kFields.size())];
  const std::uint64_t number = below(random, 2) == 0 ? kNumbers[below(random, kNumbers.size())] : random();
  for (int i = 0; i < size; ++i) bytes[entry + offset + i] = static_cast<char>(number >> (8 * i));
}

Mutation mutated(const std::string& whole, std::vector<test::ZipRecord> records, std::uint64_t seed) {
  Random random(seed);
  Mutation mutation{whole, true};
  switch (seed % 8) {
    case 0:
    case 1:
      flip(mutation.bytes, random, 1);
      return mutation;
    case 2:
      mutation.bytes.resize(below(random, whole.size()));
      return mutation;
    case 3:
      flip(mutation.bytes, random, 1 + below(random, 100));
      return mutation;
    case 4:
      fake_directory(mutation.bytes, random);
      return mutation;
    default:
      break;
  }
  mutation.checksums = false;
  const std::size_t times = 1 + below(random, 3);
  for (std::size_t i = 0; i < times; ++i) {
    if (seed % 8 == 7) {
      rearrange(records, random);
      if (records.empty()) break;
      continue;
    }
    std::vector<test::ZipRecord*> chosen;
    for (test::ZipRecord& record : records) {
      if (is_code(record) == (seed % 8 == 5)) chosen.push_back(&record);
    }
    std::string& bytes = chosen[below(random, chosen.size())]->bytes;
    if (seed % 8 == 5) {
      edit(bytes, random);
    } else {
      flip(bytes, random, 1);
    }
  }
  mutation.bytes = test::zip_of(records);
  return mutation;
}

class Mutator {
 public:
  Mutator() : file_(test::temporaryFolder().toStdString() + "/mutated.pt") {
    for (const char* sample : {"mlp", "cnn"}) {
      const std::string path = test::temporaryFolder().toStdString() + "/" + sample + ".pt";
      graph::make_sample(sample, 1).module().save(path);
      add(path);
    }
    for (const char* name : {"control.pt", "recurrent.pt", "interface.pt", "traced_train.pt", "device_constant.pt"}) {
      add(std::string(BINADE_TEST_DATA "/models/") + name);
    }
  }

  /// What is wrong with how mutation `seed` was met; empty where nothing is.
  std::string wrong(std::uint64_t seed) const {
    const Whole& of = wholes_[seed / 8 % wholes_.size()];
    const Mutation mutation = mutated(of.bytes, of.records, seed);
    test::write_bytes(file_, mutation.bytes);
    try {
      const graph::Model model = graph::Model::load(file_);
      const std::string now = described(model);
      if (mutation.checksums && now != of.described) return "a change was taken in silence";
    } catch (const Error& error) {
      const std::string message = error.what();
      if (error.hint.empty()) return "no hint: " + message;
      // Where the file loaded, its graph may still be refused for what stands in it.
      const bool loaded = message.find("mutated.pt") == std::string::npos;
      if (loaded && mutation.checksums) return "no file's name: " + message;
    } catch (const std::exception& error) {
      return std::string("an error of another kind: ") + error.what();
    }
    return {};
  }

 private:
  struct Whole {
    std::string bytes;
    std::vector<test::ZipRecord> records;
    std::string described;
  };
  void add(const std::string& path) {
    wholes_.push_back({test::read_bytes(path), test::read_zip(path), described(graph::Model::load(path))});
  }

  std::string file_;
  std::vector<Whole> wholes_;
};

/// Runs mutations in a process of their own, so that a crash is told with its number. Returns what went wrong.
QString in_a_child(const Mutator& mutator, std::uint64_t begin, std::uint64_t end) {
  int ends[2] = {};
  if (::pipe(ends) != 0) return QStringLiteral("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    for (std::uint64_t seed = begin; seed < end; ++seed) {
      ::alarm(60);
      const std::string at = "mutation " + std::to_string(seed) + ": ";
      if (::write(ends[1], at.data(), at.size()) < 0) ::_exit(2);
      std::string wrong = mutator.wrong(seed);
      wrong += wrong.empty() ? "held\n" : "\n";
      if (::write(ends[1], wrong.data(), wrong.size()) < 0) ::_exit(2);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  QFile pipe;
  QString failures;
  if (pipe.open(ends[0], QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
    for (QByteArray line = pipe.readLine(); !line.isEmpty(); line = pipe.readLine()) {
      if (!line.endsWith(": held\n")) failures += QString::fromUtf8(line);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    failures += QStringLiteral(" ended with status %1\n").arg(status);
  }
  return failures;
}

void run(std::uint64_t first, std::uint64_t count) {
  const Mutator mutator;
  constexpr std::uint64_t kBatch = 250;
  for (std::uint64_t at = first; at < first + count; at += kBatch) {
    const QString failures = in_a_child(mutator, at, std::min(at + kBatch, first + count));
    QVERIFY2(failures.isEmpty(), qPrintable(failures));
  }
}

}  // namespace

class ModelMutations : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void noneCrashesAndNoneIsTakenInSilence() { run(0, 1'000); }
};

class ModelMutationsAll : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void noneOfTenThousandCrashesOrIsTakenInSilence() { run(1'000, 10'000); }
};

BINADE_SUITE(ModelMutations);
BINADE_SUITE(ModelMutationsAll);
#include "tst_model_mutations.moc"
