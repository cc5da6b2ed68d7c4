// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/own_blocks.h"

#include "engine/formats/error.h"
#include "engine/graph/dtype_format.h"
#include "engine/graph/source_line.h"

#include <c10/core/ScalarType.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <optional>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

const c10::Symbol& mark_block_attribute() {
  static const c10::Symbol symbol = c10::Symbol::attr("block");
  return symbol;
}
const c10::Symbol& mark_enters_attribute() {
  static const c10::Symbol symbol = c10::Symbol::attr("enters");
  return symbol;
}

[[noreturn]] void refuse(const jit::Node& node, const std::string& why) {
  const std::string source = source_of(node);
  throw Error(ErrorCode::kBadModel,
              (source.empty() ? std::string() : source + ": ") + "the model's own autocast block " + why,
              "Give it constants or attributes of the module, or take the block out and write site rules instead.");
}

/// Construction of an autocast object: its arguments, by the constructor's names.
class Construction {
 public:
  Construction(const jit::Value* object, const jit::Module* root) : root_(root) {
    for (const jit::Use& use : object->uses()) {
      if (use.user->kind() == c10::prim::CallMethod && use.user->s(c10::attr::name) == "__init__") call_ = use.user;
    }
    class_name_ = object->type()->expect<c10::ClassType>()->name()->qualifiedName();
    if (call_ != nullptr) {
      schema_ = &object->type()->expect<c10::ClassType>()->getMethod("__init__").getSchema();
    }
  }

  jit::Node* call() const { return call_; }

  std::optional<policy::Base> list() const {
    if (const jit::Value* device = argument("device_type")) {
      if (std::string_view(device->node()->kind().toQualString()) == "prim::type")
        return std::nullopt;  // x.device.type: the device of the tensors
      const std::string name = known(device, "device_type").toStringRef();
      if (name == "cuda") return policy::Base::kCudaAmp;
      if (name == "cpu") return policy::Base::kCpuAmp;
      refuse(*call_, "is for the device '" + name + "', which has no list here: cuda and cpu have");
    }
    return class_name_.find(".cpu.amp.") == std::string::npos ? policy::Base::kCudaAmp : policy::Base::kCpuAmp;
  }

  std::optional<formats::Format> low() const {
    const jit::Value* dtype = argument("dtype");
    if (dtype == nullptr && default_of("dtype").isNone()) return std::nullopt;
    if (dtype != nullptr && is_current_dtype(*dtype->node())) return std::nullopt;
    const c10::IValue value = dtype == nullptr ? default_of("dtype") : known(dtype, "dtype");
    if (value.isNone()) return std::nullopt;
    const auto lowers_to = static_cast<c10::ScalarType>(value.toInt());
    if (lowers_to == c10::kFloat) return formats::kFloat32;
    if (const auto format = low_format(lowers_to)) return format;
    refuse(*call_, std::string("lowers to ") + c10::toString(lowers_to) + "; float16, bfloat16 and float32 are known");
  }

  /// `enabled` or `cache_enabled`; empty if it is None.
  std::optional<bool> flag(const char* name) const {
    const jit::Value* given = argument(name);
    const c10::IValue value = given == nullptr ? default_of(name) : known(given, name);
    return value.isNone() ? std::nullopt : std::optional(value.toBool());
  }

 private:
  /// The value passed for an argument; null if it takes its default.
  const jit::Value* argument(const char* name) const {
    const auto index = schema_->argumentIndexWithName(name);
    return index && static_cast<std::size_t>(*index) < call_->inputs().size()
               ? call_->input(static_cast<std::size_t>(*index))
               : nullptr;
  }

  c10::IValue default_of(const char* name) const {
    const auto index = schema_->argumentIndexWithName(name);
    if (!index) return {};
    const auto& value = schema_->arguments()[static_cast<std::size_t>(*index)].default_value();
    return value ? *value : c10::IValue();
  }

  static bool is_current_dtype(const jit::Node& node) {
    return std::string_view(node.kind().toQualString()) == "aten::get_autocast_dtype";
  }

  /// Value of a constant of the graph or of a module attribute other than `training`, which training switches.
  c10::IValue known(const jit::Value* value, const char* name) const {
    if (const auto constant = jit::toIValue(value)) return *constant;
    std::vector<std::string> path;
    while (value->node()->kind() == c10::prim::GetAttr) {
      path.push_back(value->node()->s(c10::attr::name));
      value = value->node()->input(0);
    }
    const bool of_root = root_ != nullptr && value->node()->kind() == c10::prim::Param && value->offset() == 0;
    if (path.empty() || !of_root || path.front() == "training") {
      refuse(*call_, std::string("takes its '") + name + "' from a value that is computed while the model runs");
    }
    c10::IValue attribute = root_->_ivalue();
    for (auto part = path.rbegin(); part != path.rend(); ++part) attribute = attribute.toObject()->getAttr(*part);
    return attribute;
  }

  const jit::Module* root_;
  jit::Node* call_ = nullptr;
  const c10::FunctionSchema* schema_ = nullptr;
  std::string class_name_;
};

class Finder {
 public:
  Finder(jit::Graph& graph, const jit::Module* root) : graph_(graph), root_(root) {}

  OwnBlocks run() {
    walk(graph_.block());
    for (jit::Node* constructor : constructors_) {
      if (!constructor->hasUses()) constructor->destroy();
    }
    return std::move(blocks_);
  }

 private:
  struct Open {
    const jit::Value* object;
    const policy::OwnBlock* block;
    const jit::Node* entered;
  };

  void walk(jit::Block* block) {
    const std::size_t depth = open_.size();
    for (auto it = block->nodes().begin(); it != block->nodes().end();) {
      jit::Node* node = *it++;
      for (jit::Block* inner : node->blocks()) walk(inner);
      if (node->kind() == c10::prim::Enter && is_autocast_object(node->input(0))) enter(node);
      if (node->kind() == c10::prim::Exit && is_autocast_object(node->input(0))) leave(node, depth);
    }
    if (open_.size() != depth) refuse(*open_.back().entered, "is not left in the branch or loop that enters it");
  }

  void enter(jit::Node* node) {
    const jit::Value* object = node->input(0);
    if (object->node()->kind() != c10::prim::CreateObject) {
      refuse(*node, "is an object made elsewhere; only `with torch.autocast(...):` is understood");
    }
    const Construction made(object, root_);
    if (made.call() == nullptr)
      refuse(*node, "has lost what it was made with, as a model does that is frozen: save it before torch.jit.freeze");
    if (!node->output()->uses().empty()) refuse(*node, "is used inside by its name");
    auto own = std::make_unique<policy::OwnBlock>();
    own->list = made.list();
    own->low = made.low();
    own->enabled = made.flag("enabled").value_or(true);
    own->cache_enabled = made.flag("cache_enabled");
    own->source = source_of(*made.call());
    own->outer = open_.empty() ? nullptr : open_.back().block;
    if (std::find(constructors_.begin(), constructors_.end(), made.call()) == constructors_.end()) {
      constructors_.push_back(made.call());
    }
    open_.push_back({object, own.get(), mark(node, *own, true)});
    blocks_.push_back(std::move(own));
  }

  void leave(jit::Node* node, std::size_t depth) {
    if (open_.size() == depth || open_.back().object != node->input(0)) {
      refuse(*node, "is left in another branch or loop than it is entered");
    }
    mark(node, *open_.back().block, false);
    open_.pop_back();
  }

  jit::Node* mark(jit::Node* node, const policy::OwnBlock& block, bool enters) {
    jit::Node* made = graph_.create(own_block_symbol(), 0);
    made->i_(mark_block_attribute(), reinterpret_cast<std::int64_t>(&block));
    made->i_(mark_enters_attribute(), enters ? 1 : 0);
    made->copyMetadata(node);
    made->insertBefore(node);
    node->destroy();
    return made;
  }

  jit::Graph& graph_;
  const jit::Module* root_;
  std::vector<Open> open_;
  std::vector<jit::Node*> constructors_;
  OwnBlocks blocks_;
};

}  // namespace

bool is_autocast_object(const jit::Value* value) {
  const auto type = value->type()->cast<c10::ClassType>();
  if (type == nullptr || !type->name()) return false;
  const std::string name = type->name()->qualifiedName();
  return name.find(".amp.") != std::string::npos && name.ends_with(".autocast");
}

c10::Symbol own_block_symbol() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("binade::own_block");
  return symbol;
}

OwnBlocks take_own_blocks(jit::Graph& graph, const jit::Module* root) {
  return Finder(graph, root).run();
}

BlockMark mark_of(const jit::Node& node) {
  if (node.kind() != own_block_symbol()) return {};
  return {reinterpret_cast<const policy::OwnBlock*>(node.i(mark_block_attribute())),
          node.i(mark_enters_attribute()) != 0};
}

}  // namespace binade::graph
