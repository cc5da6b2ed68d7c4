// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/model_pickle.h"

#include "engine/graph/pickle_machine.h"

#include <array>

// Opcodes are documented in Python's Lib/pickletools.py.

namespace binade::graph {

namespace {

using Kind = PickleNode::Kind;

constexpr std::size_t kMostNodes = 8'000'000;

class Reader : PickleMachine<PickleNode> {
 public:
  Reader(std::string_view bytes, const std::string& what)
      : PickleMachine(bytes, {what, "it ends too early", "Copy or export the model again."}, kMostNodes) {}

  ModelPickle read() {
    while (true) {
      const auto op = static_cast<unsigned char>(number(1));
      if (op == '.') break;
      run(op);
    }
    const Ref root = pop();
    return {std::move(values_), root};
  }

 private:
  void run(unsigned char op) {
    switch (op) {
      case 0x80:  // PROTO
        if (number(1) != 2) damaged("it is not a pickle of protocol 2");
        return;
      case 'N':
        return push({.kind = Kind::kNone});
      case 0x88:
      case 0x89:
        return push({.kind = Kind::kBool, .number = op == 0x88 ? 1 : 0});
      case 'K':
        return push({.kind = Kind::kInt, .number = static_cast<std::int64_t>(number(1))});
      case 'M':
        return push({.kind = Kind::kInt, .number = static_cast<std::int64_t>(number(2))});
      case 'J':
        return push({.kind = Kind::kInt, .number = static_cast<std::int32_t>(number(4))});
      case 0x8a:
        return push({.kind = Kind::kInt, .number = long_number()});
      case 'G':
        return push({.kind = Kind::kFloat, .real = big_endian_double()});
      case 'X':
        return push({.kind = Kind::kText, .text = std::string(take(number(4)))});
      case ']':
        return push({.kind = Kind::kList});
      case ')':
        return push({.kind = Kind::kTuple});
      case '}':
        return push({.kind = Kind::kDict});
      case 'c': {
        const std::string module(line());
        return push({.kind = Kind::kName, .text = module + "." + std::string(line())});
      }
      default:
        return run_on_stack(op);
    }
  }

  void run_on_stack(unsigned char op) {
    switch (op) {
      case '(':
        return mark();
      case 't':
        return push({.kind = Kind::kTuple, .items = since_mark()});
      case 0x85:
      case 0x86:
      case 0x87:
        return push({.kind = Kind::kTuple, .items = last(op - 0x84U)});
      case 'a':
        return add(Kind::kList, last(1));
      case 'e':
        return add(Kind::kList, since_mark());
      case 's':
        return add(Kind::kDict, last(2));
      case 'u':
        return add(Kind::kDict, since_mark());
      case 'q':
        return remember(number(1));
      case 'r':
        return remember(number(4));
      case 'h':
        return recall(number(1));
      case 'j':
        return recall(number(4));
      case 'Q':
        return storage(*pop());
      case 'R':
        return call(last(2), Kind::kCall);
      case 0x81:
        return call(last(2), Kind::kObject);
      case 'b':
        return set_state(pop());
      default:
        damaged("it uses the pickle opcode " + std::to_string(op) + ", which TorchScript does not write");
    }
  }

  std::int64_t long_number() {
    const std::uint64_t size = number(1);
    if (size > 8) damaged("it holds a whole number of more than 64 bits");
    return signed_number(size);
  }

  void add(Kind kind, const std::vector<Ref>& items) {
    if (top().kind != kind || (kind == Kind::kDict && items.size() % 2 != 0)) {
      damaged("it adds items to a value that is not a " + std::string(kind == Kind::kDict ? "dict" : "list"));
    }
    top().items.insert(top().items.end(), items.begin(), items.end());
  }

  void call(const std::vector<Ref>& parts, Kind kind) {
    if (parts[0]->kind != Kind::kName) damaged("it calls an object that is not a function");
    if (kind == Kind::kObject) return push({.kind = kind, .text = parts[0]->text});
    // The value of an enum is not wrapped in a tuple.
    const bool tuple = parts[1]->kind == Kind::kTuple;
    push({.kind = kind, .text = parts[0]->text, .items = tuple ? parts[1]->items : std::vector<Ref>{parts[1]}});
  }

  void set_state(Ref state) {
    if (top().kind != Kind::kObject || !top().items.empty())
      damaged("it sets the state of a value that is not an object");
    top().items.push_back(state);
  }

  /// The tuple ("storage", class, key, device, number of elements).
  void storage(const PickleNode& id) {
    constexpr std::array kinds{Kind::kText, Kind::kName, Kind::kText, Kind::kText, Kind::kInt};
    bool fits = id.kind == Kind::kTuple && id.items.size() == kinds.size();
    for (std::size_t i = 0; fits && i < kinds.size(); ++i) fits = id.items[i]->kind == kinds[i];
    if (!fits || id.items[0]->text != "storage") damaged("it refers to an external object that is not a storage");
    push({.kind = Kind::kStorage,
          .number = id.items[4]->number,
          .text = id.items[2]->text,
          .storage_class = id.items[1]->text});
  }
};

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kNone:
      return "None";
    case Kind::kBool:
      return "a bool";
    case Kind::kInt:
      return "an int";
    case Kind::kFloat:
      return "a float";
    case Kind::kText:
      return "a str";
    case Kind::kList:
      return "a list";
    case Kind::kTuple:
      return "a tuple";
    case Kind::kDict:
      return "a dict";
    case Kind::kName:
      return "a name";
    case Kind::kObject:
      return "an object";
    case Kind::kCall:
      return "the result of a call";
    case Kind::kStorage:
      return "a storage";
  }
  return "another value";
}

ModelPickle read_model_pickle(std::string_view bytes, const std::string& what) {
  return Reader(bytes, what).read();
}

}  // namespace binade::graph
