// SPDX-License-Identifier: Apache-2.0
#include "tests/confine/hostile_files.h"

#include "tests/graph/text_model.h"
#include "tests/graph/zip_records.h"

#include <utility>

namespace binade::test {

namespace {

constexpr const char* kClass =
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = []\n";
constexpr const char* kForward =
    "  def forward(self: __torch__.M,\n"
    "    x: Tensor) -> Tensor:\n";

/// What hostile code does, as one statement. `value` is something to save.
struct Payload {
  std::string name;
  std::string statement;
};

std::vector<Payload> payloads(const std::string& outside) {
  const auto save = [](const std::string& file) { return "torch.save(1, \"" + file + "\")"; };
  const auto map = [](const std::string& file, const char* shared) {
    return "print(torch.from_file(\"" + file + "\", " + shared + ", 16, dtype=0))";
  };
  return {
      {"writes a new file", save(outside + "/new")},
      {"overwrites a file", save(outside + "/secret")},
      {"writes by a path with ..", save(outside + "/folder/../new")},
      {"writes by a link", save(outside + "/link")},
      {"writes by /proc", save("/proc/self/root" + outside + "/new")},
      {"maps a new file", map(outside + "/new", "True")},
      {"maps a file to write", map(outside + "/secret", "True")},
      {"reads a file", map(outside + "/secret", "False")},
      {"reads a file of the system", map("/etc/passwd", "False")},
  };
}

struct Place {
  std::string name;
  TextModel (*model)(const std::string& statement);
};

/// A function that runs the statement and returns 1.
std::string function_of(const std::string& statement) {
  return "def f() -> int:\n  " + statement + "\n  return 1\n";
}

std::string number(std::uint32_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((value >> shift) & 255);
  return bytes;
}

/// data.pkl of a module with a parameter `w` of this many elements, which says that the record data/0 holds them.
std::string data_with_parameter(std::uint32_t elements) {
  using namespace std::string_literals;
  return "\x80\x02"
         "c__torch__\nM\n)\x81}(X\x01\0\0\0wctorch._utils\n_rebuild_tensor_v2\n((X"
         "\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0"
         "0X\x03\0\0\0cpuJ"s +
         number(elements) + "tQK\x00J"s + number(elements) + "\x85K\x01\x85\x88Ntq\x01Rub.";
}

/// A module that can be trained: forward runs `body`, then adds its parameter to `x`. Code at the top is behind it.
TextModel trained(const std::string& body, const std::string& more = {}, std::uint32_t elements = 1) {
  return {.code =
              "class M(Module):\n"
              "  __parameters__ = [\"w\", ]\n"
              "  __buffers__ = []\n"
              "  w : Tensor\n" +
              std::string(kForward) + body + "    return torch.add(x, self.w)\n" + more,
          .data = data_with_parameter(elements),
          .tensor = std::string(4, '\0')};
}

TextModel in_forward(const std::string& statement) {
  return trained("    " + statement + "\n");
}
TextModel in_loop(const std::string& statement) {
  return trained("    for _0 in range(1):\n      " + statement + "\n");
}
TextModel in_branch(const std::string& statement) {
  return trained("    if torch.gt(torch.numel(x), 0):\n      " + statement + "\n    else:\n      pass\n");
}
TextModel in_function(const std::string& statement) {
  return trained("    _0 = __torch__.f()\n", function_of(statement));
}
TextModel in_constructor(const std::string& statement) {
  return trained("    a = __torch__.C.__new__(__torch__.C)\n    _0 = (a).__init__()\n",
                 "class C:\n  def __init__(self: __torch__.C) -> NoneType:\n    " + statement + "\n    return None\n");
}
TextModel in_default_value(const std::string& statement) {
  return model_with(
      "    return x\n",
      "  def other(self: __torch__.M,\n    y: int=__torch__.f()) -> int:\n    return y\n" + function_of(statement));
}
TextModel in_constant(const std::string& statement) {
  return {.code = std::string(kClass) + "  a : Final[int] = __torch__.f()\n" + kForward + "    return x\n" +
                  function_of(statement)};
}
TextModel in_set_state(const std::string& statement) {
  return {.code = std::string(kClass) + "  k : int\n" + kForward +
                  "    return x\n"
                  "  def __getstate__(self: __torch__.M) -> int:\n    return 1\n"
                  "  def __setstate__(self: __torch__.M,\n    state: int) -> NoneType:\n    " +
                  statement + "\n    self.k = 1\n    return None\n",
          .data =
              "\x80\x02"
              "c__torch__\nM\n)\x81K\x01"
              "b."};
}

std::vector<ZipRecord> plain_records(const std::string& body) {
  return zip_records(model_with(body).archive());
}

std::string with_record(std::string name, std::string bytes, bool deflated = false) {
  std::vector<ZipRecord> records = plain_records("    return x\n");
  records.push_back({std::move(name), std::move(bytes), deflated});
  return zip_of(records);
}

std::string repeated(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

std::vector<HostileFile> files_that_run_code(const std::string& outside) {
  const std::vector<Place> places{
      {"forward", in_forward},           {"a loop", in_loop},
      {"a branch", in_branch},           {"a function", in_function},
      {"a constructor", in_constructor}, {"a default value", in_default_value},
      {"__setstate__", in_set_state},    {"a constant", in_constant},
  };
  std::vector<HostileFile> files;
  for (const Place& place : places) {
    for (const Payload& payload : payloads(outside)) {
      files.push_back({place.name + ": " + payload.name, place.model(payload.statement).archive()});
    }
  }
  return files;
}

HostileFile endless_file() {
  return {"endless", trained("    _0 = True\n    while _0:\n      _0 = torch.ge(torch.numel(x), 0)\n").archive()};
}

std::vector<HostileFile> files_that_exhaust(const std::string& outside) {
  const std::string zeros(64 << 20, '\0');
  std::vector<HostileFile> files{
      {"a bomb of zeros", with_record("m/extra/0", zeros, true)},
      {"a bomb as code", with_record("m/code/x.py", std::string(64 << 20, '\n'), true)},
      {"a name with ..", with_record("m/../../" + outside + "/new", "text")},
      {"an absolute name", with_record(outside + "/new", "text")},
      {"a name twice", with_record("m/data.pkl", "text")},
      {"a huge tensor", trained({}, {}, 0x7fffffff).archive()},
      {"a large tensor", trained({}, {}, 1 << 20).archive()},
      {"endless recursion", trained("    _0 = (self).forward(x)\n").archive()},
      {"deep brackets", model_with("    return " + repeated(20000, "(") + "x" + repeated(20000, ")") + "\n").archive()},
      {"deep blocks", model_with([] {
                        std::string body;
                        std::string indent = "    ";
                        for (int i = 0; i < 500; ++i, indent += ' ') body += indent + "if True:\n";
                        return body + indent + "return x\n";
                      }())
                          .archive()},
      {"deep pickle",
       TextModel{.code = model_with("    return x\n").code, .data = "\x80\x02" + repeated(500000, "(") + "."}
           .archive()},
      {"no end of the pickle", TextModel{.code = model_with("    return x\n").code, .data = "\x80\x02"}.archive()},
      {"a pickle that calls os.system", TextModel{.code = model_with("    return x\n").code,
                                                  .data = "\x80\x02"
                                                          "cos\nsystem\nX\x04\0\0\0true\x85R."}
                                            .archive()},
  };
  const std::string whole = model_with("    return x\n").archive();
  files.push_back({"half a file", whole.substr(0, whole.size() / 2)});
  files.push_back({"a file without its directory", whole.substr(0, whole.size() - 22)});
  return files;
}

}  // namespace binade::test
