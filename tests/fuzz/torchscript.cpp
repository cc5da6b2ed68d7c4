// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/graph/samples.h"
#include "tests/fuzz/archive_damage.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/torch_readers.h"
#include "tests/support/places.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

namespace binade::fuzz {

namespace {

/// The flat graph as text. A model that loads may still be refused for its graph, in a message that names the op call.
std::string graph_of(const graph::Model& model) {
  try {
    return graph::FlatGraph(model).graph().toString(false);
  } catch (const Error& error) {
    if (error.hint.empty()) throw Fault(std::string("a message without a hint: ") + error.what());
    return error.what();
  }
}

std::string read_model(const std::string& bytes) {
  const graph::Model model = graph::Model::load(write_input(".pt", bytes));
  std::string text = graph_of(model);
  const auto add = [&](const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
    for (const auto& [name, tensor] : tensors) {
      const at::Tensor whole = tensor.contiguous();
      text += name + c10::toString(whole.scalar_type());
      text.append(static_cast<const char*>(whole.const_data_ptr()), whole.nbytes());
    }
  };
  add(model.parameters());
  add(model.buffers());
  return text;
}

std::vector<std::string> valid_models() {
  std::vector<std::string> all;
  for (const char* sample : {"mlp", "cnn"}) {
    const std::string path = write_input(".pt", "");
    graph::make_sample(sample, 1).module().save(path);
    all.push_back(read_file(path));
  }
  for (const char* name : {"control.pt", "recurrent.pt", "interface.pt", "traced_train.pt", "device_constant.pt"}) {
    all.push_back(read_file(std::string(BINADE_TEST_DATA "/models/") + name));
  }
  return all;
}

}  // namespace

const Reader& torchscript_reader() {
  static const Reader reader{"torchscript", ".pt", "input.pt", valid_models, read_model, damaged_archive};
  return reader;
}

int one_torchscript(const std::uint8_t* data, std::size_t size) {
  return one(torchscript_reader(), data, size);
}

}  // namespace binade::fuzz
