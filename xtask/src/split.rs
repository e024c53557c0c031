//! Splits the module that ships: into what the first frame needs, and the rest, which comes behind it.
//!
//! `rare.txt` names the functions with which the rest begins; what nobody else reaches goes with them. In their place the
//! first module has stubs that call through the function table, into which the rest writes itself when it starts. A stub
//! first asks the import `more`, which throws if the rest has not started. Both work on one memory, one table and one stack.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};
use walrus::ir::{Const, Load, LoadSimd, Store, Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind,
    GlobalKind, ImportedFunction, LocalFunction, Module, ModuleConfig, TableId, ValType,
};

use crate::{glue, setup};

/// From which module the rest imports what the first module shares with it.
pub(crate) const PRIMARY: &str = "p";

/// The import of the first module that checks, in the middle of a call, that the rest has started.
pub(crate) const MORE: &str = "more";

/// The import that checks it when a function is called from outside that lies in the rest as a whole: nothing of the call has happened
/// yet.
pub(crate) const NEED: &str = "need";

/// The functions with which the rest begins: beginnings of their names, or whole ones after `=`. After `+` stand those that both
/// modules have.
const RARE: &str = include_str!("../rare.txt");

/// The most instructions of a function that both modules have, since a call from one into the other takes more, in bytes and
/// in time.
const SMALL: u64 = 24;

/// The two modules.
pub(crate) struct Split {
    pub(crate) primary: Vec<u8>,
    pub(crate) rest: Vec<u8>,
}

/// Where the pieces of data lie that the linker has put into the memory, sorted.
pub(crate) fn pieces(wasm: &[u8]) -> Result<Vec<Range<u32>>> {
    let module = ModuleConfig::new().parse(wasm).context("cannot read the module")?;
    let pieces = data(&module)?.into_iter().map(|(begin, bytes)| begin..begin + bytes.len() as u32);
    let mut pieces: Vec<_> = pieces.collect();
    pieces.sort_by_key(|piece| piece.start);
    Ok(pieces)
}

/// Splits a module, whose functions must have names; `pieces` are those of its data.
pub(crate) fn split(wasm: &[u8], pieces: &[Range<u32>]) -> Result<Split> {
    let parse =
        || ModuleConfig::new().generate_name_section(false).parse(wasm).context("cannot read the module");
    let (mut primary, mut rest) = (parse()?, parse()?);
    // Of the same bytes, both times the same functions in the same order.
    let twins: HashMap<_, _> =
        primary.funcs.iter().zip(rest.funcs.iter()).map(|(a, b)| (a.id(), b.id())).collect();

    let calls = calls(&primary);
    let rare = named(&primary, |line| (!line.starts_with('+')).then_some(line))?;
    let mut doubled = named(&primary, |line| line.strip_prefix('+'))?;
    let small = primary.funcs.iter_local().filter(|(_, local)| local.size() <= SMALL);
    doubled.extend(small.map(|(id, _)| id));
    let needed = needed(&primary, &calls, &rare);
    let called_by = |inside: bool| -> HashSet<FunctionId> {
        calls
            .iter()
            .filter(|(id, _)| needed.contains(id) == inside || !inside && doubled.contains(id))
            .flat_map(|(_, called)| called)
            .copied()
            .collect()
    };
    let sorted = |ids: HashSet<FunctionId>, wanted: &dyn Fn(FunctionId) -> bool| {
        let mut ids: Vec<_> = ids.into_iter().filter(|id| wanted(*id)).collect();
        ids.sort();
        ids
    };
    let called_by_needed = called_by(true).into_iter().chain(entries(&primary)).collect();
    let stubs = sorted(called_by_needed, &|id| rare.contains(&id));
    let shared = sorted(called_by(false), &|id| needed.contains(&id) && !doubled.contains(&id));

    let moved = words(&primary, &needed, pieces)?;
    let table = primary.tables.main_function_table()?.context("the module has no table of functions")?;
    let first = primary.tables.get(table).initial;
    let names = share(&mut primary, &shared, &format!("{:x}", setup::hash(&wasm)));
    put_stubs(&mut primary, table, &stubs, first)?;
    take(&mut rest, &names, &shared.iter().map(|id| twins[id]).collect::<Vec<_>>());
    fill(&mut rest, stubs.iter().map(|id| twins[id]).collect(), first)?;

    move_data(&mut primary, &mut rest, &moved)?;
    for module in [&mut primary, &mut rest] {
        walrus::passes::gc::run(module);
    }
    Ok(Split { primary: primary.emit_wasm(), rest: rest.emit_wasm() })
}

/// Whom each function calls.
fn calls(module: &Module) -> HashMap<FunctionId, Vec<FunctionId>> {
    #[derive(Default)]
    struct Called(Vec<FunctionId>);
    impl Visitor<'_> for Called {
        fn visit_function_id(&mut self, id: &FunctionId) {
            self.0.push(*id);
        }
    }
    let of = |local: &LocalFunction| {
        let mut called = Called::default();
        dfs_in_order(&mut called, local, local.entry_block());
        called.0
    };
    module.funcs.iter_local().map(|(id, local)| (id, of(local))).collect()
}

/// The functions that lines of `rare.txt` name, of which `wanted` says the name. A line that names none is an error, for it says
/// something that is not so any more.
fn named(module: &Module, wanted: impl Fn(&str) -> Option<&str>) -> Result<HashSet<FunctionId>> {
    let names: Vec<_> = module
        .funcs
        .iter_local()
        .filter_map(|(id, _)| Some((id, plain(module.funcs.get(id).name.as_deref()?))))
        .collect();
    let lines = RARE.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut all = HashSet::new();
    for line in lines.filter(|line| !line.is_empty()).filter_map(wanted) {
        // Not within a name, where types of others stand as arguments.
        let means = |name: &str| match line.strip_prefix('=') {
            Some(whole) => name == whole,
            None => name.trim_start_matches('<').starts_with(line),
        };
        let before = all.len();
        let mut found = names.iter().filter(|(_, name)| means(name)).map(|(id, _)| *id).peekable();
        ensure!(found.peek().is_some(), "no function is called `{line}` any more: look at xtask/rare.txt");
        all.extend(found);
        ensure!(all.len() > before, "`{line}` of xtask/rare.txt adds nothing to the lines above it");
    }
    Ok(all)
}

/// A name without the hashes of crates and the marks of a type, as in `<gambol[8c27da642fd8ad9a]::Stage>::start`.
fn plain(name: &str) -> String {
    let name = name.trim_end_matches(" multivalue shim");
    let hash = |text: &str| text.len() > 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut parts = name.split('[');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((inside, after)) if hash(inside) => out += after,
            _ => out = out + "[" + part,
        }
    }
    match out.strip_prefix('<').and_then(|rest| rest.split_once(">::")) {
        Some((of, method)) if !of.contains([' ', '<']) => format!("{of}::{method}"),
        _ => out,
    }
}

/// What can be called from outside: exports, what starts the module, and what lies in tables.
fn entries(module: &Module) -> Vec<FunctionId> {
    let exports = module.exports.iter().filter_map(|export| match export.item {
        ExportItem::Function(id) => Some(id),
        _ => None,
    });
    let listed = module.elements.iter().flat_map(|element| match &element.items {
        ElementItems::Functions(ids) => ids.clone(),
        ElementItems::Expressions(_, values) => values
            .iter()
            .filter_map(|value| match value {
                ConstExpr::RefFunc(id) => Some(*id),
                _ => None,
            })
            .collect(),
    });
    exports.chain(module.start).chain(listed).collect()
}

/// What is reached from outside without a rare function on the way.
fn needed(
    module: &Module,
    calls: &HashMap<FunctionId, Vec<FunctionId>>,
    rare: &HashSet<FunctionId>,
) -> HashSet<FunctionId> {
    let mut needed = HashSet::new();
    let mut open = entries(module);
    while let Some(id) = open.pop() {
        if !rare.contains(&id) && calls.contains_key(&id) && needed.insert(id) {
            open.extend(&calls[&id]);
        }
    }
    needed
}

/// The data of a module: where they begin in the memory, and their bytes.
fn data(module: &Module) -> Result<Vec<(u32, &[u8])>> {
    let segment = |data: &walrus::Data| match data.kind {
        DataKind::Active { offset: ConstExpr::Value(Value::I32(begin)), .. } => Ok(begin as u32),
        _ => bail!("the data of the module do not all have a place"),
    };
    module.data.iter().map(|data| Ok((segment(data)?, &data.value[..]))).collect()
}

/// The pieces of data that are words, and of which only functions know that are not needed in the first module.
///
/// A piece is known by any number within it, in code or in data: rather too many seem to be known than too few. Words alone,
/// since tables are also found by numbers beside them.
fn words(module: &Module, needed: &HashSet<FunctionId>, pieces: &[Range<u32>]) -> Result<Vec<Range<u32>>> {
    #[derive(Default)]
    struct Numbers(Vec<u32>);
    impl Visitor<'_> for Numbers {
        fn visit_const(&mut self, instruction: &Const) {
            if let Value::I32(value) = instruction.value {
                self.0.push(value as u32);
            }
        }
        fn visit_load(&mut self, instruction: &Load) {
            self.0.push(instruction.arg.offset as u32);
        }
        fn visit_store(&mut self, instruction: &Store) {
            self.0.push(instruction.arg.offset as u32);
        }
        fn visit_load_simd(&mut self, instruction: &LoadSimd) {
            self.0.push(instruction.arg.offset as u32);
        }
    }
    let piece_of = |number: u32| {
        let after = pieces.partition_point(|piece| piece.start <= number);
        after.checked_sub(1).filter(|&at| pieces[at].contains(&number))
    };
    let (mut by_first, mut by_rest) = (HashSet::new(), HashSet::new());
    for (id, function) in module.funcs.iter_local() {
        let mut numbers = Numbers::default();
        dfs_in_order(&mut numbers, function, function.entry_block());
        let known = if needed.contains(&id) { &mut by_first } else { &mut by_rest };
        known.extend(numbers.0.into_iter().filter_map(piece_of));
    }
    let image = Image::new(&data(module)?);
    // Who knows a piece knows what it points to; a piece that nobody seems to know is everybody's.
    let spread = |known: &mut HashSet<usize>| {
        let mut open: Vec<_> = known.iter().copied().collect();
        while let Some(at) = open.pop() {
            let points_to = image.numbers(&pieces[at]).filter_map(piece_of);
            open.extend(points_to.filter(|at| known.insert(*at)));
        }
    };
    spread(&mut by_rest);
    by_first.extend((0..pieces.len()).filter(|at| !by_rest.contains(at)));
    spread(&mut by_first);
    let is_text = |piece: &Range<u32>| {
        let letters =
            image.bytes(piece).iter().filter(|byte| byte.is_ascii_alphabetic() || **byte == b' ').count();
        2 * letters > piece.len()
    };
    let found = by_rest.difference(&by_first).map(|&at| pieces[at].clone()).filter(is_text);
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|piece| piece.start);
    Ok(found)
}

/// The memory as the data make it.
struct Image {
    begin: u32,
    bytes: Vec<u8>,
}

impl Image {
    fn new(data: &[(u32, &[u8])]) -> Self {
        let begin = data.iter().map(|(begin, _)| *begin).min().unwrap_or(0);
        let end = data.iter().map(|(begin, bytes)| begin + bytes.len() as u32).max().unwrap_or(0);
        let mut image = Self { begin, bytes: vec![0; (end - begin) as usize] };
        for (begin, bytes) in data {
            let end = begin + bytes.len() as u32;
            image.bytes_mut(&(*begin..end)).copy_from_slice(bytes);
        }
        image
    }

    fn within(&self, piece: &Range<u32>) -> Range<usize> {
        let last = self.bytes.len();
        let [begin, end] =
            [piece.start, piece.end].map(|at| (at.saturating_sub(self.begin) as usize).min(last));
        begin..end
    }

    fn bytes(&self, piece: &Range<u32>) -> &[u8] {
        &self.bytes[self.within(piece)]
    }

    /// The numbers of 32 bits in a piece, at multiples of four.
    fn numbers(&self, piece: &Range<u32>) -> impl Iterator<Item = u32> {
        let aligned = piece.start.next_multiple_of(4)..piece.end.max(piece.start.next_multiple_of(4));
        self.bytes(&aligned)
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    }

    fn bytes_mut(&mut self, piece: &Range<u32>) -> &mut [u8] {
        let range = self.within(piece);
        &mut self.bytes[range]
    }
}

/// Lets the rest bring the `moved` pieces of data. Those of the first module become one, of which wasm-opt leaves out what is
/// zero.
fn move_data(primary: &mut Module, rest: &mut Module, moved: &[Range<u32>]) -> Result<()> {
    let mut image = Image::new(&data(primary)?);
    let place = |module: &mut Module, begin: u32, bytes: Vec<u8>| -> Result<()> {
        let memory = module.memories.iter().next().context("the module has no memory")?.id();
        let offset = ConstExpr::Value(Value::I32(begin as i32));
        let data = module.data.add(DataKind::Active { memory, offset }, bytes);
        module.memories.get_mut(memory).data_segments.insert(data);
        Ok(())
    };
    for piece in moved {
        let bytes = image.bytes_mut(piece);
        place(rest, piece.start, bytes.to_vec())?;
        bytes.fill(0);
    }
    let all: Vec<_> = primary.data.iter().map(|data| data.id()).collect();
    for id in all {
        primary.data.delete(id);
    }
    primary.memories.iter_mut().for_each(|memory| memory.data_segments.clear());
    place(primary, image.begin, image.bytes)
}

/// What the first module shares, and under which names.
struct Names {
    memories: Vec<String>,
    tables: Vec<String>,
    globals: Vec<String>,
    functions: Vec<String>,
}

/// Exports all that the rest may need. The names are capital letters, so that they are not those of the glue; those of
/// memory and tables have the `build` in them, so that the rest of another build does not start.
fn share(module: &mut Module, functions: &[FunctionId], build: &str) -> Names {
    let memories: Vec<_> = module.memories.iter().map(|memory| memory.id().into()).collect();
    let tables: Vec<_> = module.tables.iter().map(|table| table.id().into()).collect();
    let globals: Vec<_> = module.globals.iter().map(|global| global.id().into()).collect();
    let functions: Vec<_> = functions.iter().map(|id| (*id).into()).collect();
    let mut count = 0;
    let mut export = |items: Vec<ExportItem>, build: &str| -> Vec<String> {
        let name = |item| {
            let name = glue::name(count).to_ascii_uppercase() + build;
            count += 1;
            module.exports.add(&name, item);
            name
        };
        items.into_iter().map(name).collect()
    };
    Names {
        functions: export(functions, ""),
        globals: export(globals, ""),
        tables: export(tables, build),
        memories: export(memories, build),
    }
}

/// Puts a stub in the place of each function: it checks that the rest has started, and calls the function in its slot of the table.
fn put_stubs(module: &mut Module, table: TableId, stubs: &[FunctionId], first: u64) -> Result<()> {
    let nothing = module.types.add(&[], &[]);
    let started = module.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
    let [ready_inside, ready_outside] = [MORE, NEED].map(|name| {
        let (import, _) = module.add_import_func(glue::MODULE, name, nothing);
        let mut ready = FunctionBuilder::new(&mut module.types, &[], &[]);
        ready.func_body().global_get(started).if_else(
            None,
            |_| {},
            |start| {
                start.call(import).i32_const(1).global_set(started);
            },
        );
        ready.finish(Vec::new(), &mut module.funcs)
    });
    let exported: HashSet<FunctionId> = module
        .exports
        .iter()
        .filter_map(|export| match export.item {
            ExportItem::Function(id) => Some(id),
            _ => None,
        })
        .collect();
    for (slot, id) in (first..).zip(stubs) {
        let ty = module.funcs.get(*id).ty();
        let (parameters, results) = (module.types.params(ty).to_vec(), module.types.results(ty).to_vec());
        let arguments: Vec<_> = parameters.iter().map(|ty| module.locals.add(*ty)).collect();
        let mut stub = FunctionBuilder::new(&mut module.types, &parameters, &results);
        let mut body = stub.func_body();
        body.call(if exported.contains(id) { ready_outside } else { ready_inside });
        for argument in &arguments {
            body.local_get(*argument);
        }
        body.i32_const(i32::try_from(slot)?).call_indirect(ty, table);
        module.funcs.get_mut(*id).kind = FunctionKind::Local(stub.local_func(arguments));
    }
    grow(module, table, stubs.len());
    Ok(())
}

fn grow(module: &mut Module, table: TableId, slots: usize) {
    let table = module.tables.get_mut(table);
    table.initial += slots as u64;
    table.maximum = table.maximum.map(|maximum| maximum.max(table.initial));
}

/// Leaves the functions alone, and takes from the first module what it shares.
fn take(module: &mut Module, names: &Names, functions: &[FunctionId]) {
    module.start = None;
    let exports: Vec<_> = module.exports.iter().map(|export| export.id()).collect();
    exports.into_iter().for_each(|id| module.exports.delete(id));
    let elements: Vec<_> = module.elements.iter().map(|element| element.id()).collect();
    elements.into_iter().for_each(|id| module.elements.delete(id));
    let data: Vec<_> = module.data.iter().map(|data| data.id()).collect();
    data.into_iter().for_each(|id| module.data.delete(id));

    for (name, id) in names.functions.iter().zip(functions) {
        let import = module.imports.add(PRIMARY, name, *id);
        let function = module.funcs.get_mut(*id);
        function.kind = FunctionKind::Import(ImportedFunction { import, ty: function.ty() });
    }
    let globals: Vec<_> = module.globals.iter().map(|global| global.id()).collect();
    for (name, id) in names.globals.iter().zip(globals) {
        module.globals.get_mut(id).kind = GlobalKind::Import(module.imports.add(PRIMARY, name, id));
    }
    let tables: Vec<_> = module.tables.iter().map(|table| table.id()).collect();
    for (name, id) in names.tables.iter().zip(tables) {
        let import = module.imports.add(PRIMARY, name, id);
        let table = module.tables.get_mut(id);
        table.import = Some(import);
        table.elem_segments.clear();
    }
    let memories: Vec<_> = module.memories.iter().map(|memory| memory.id()).collect();
    for (name, id) in names.memories.iter().zip(memories) {
        let import = module.imports.add(PRIMARY, name, id);
        let memory = module.memories.get_mut(id);
        memory.import = Some(import);
        memory.data_segments.clear();
    }
}

/// Writes functions into the table from slot `first` on.
fn fill(module: &mut Module, functions: Vec<FunctionId>, first: u64) -> Result<()> {
    let table = module.tables.main_function_table()?.context("the rest has no table of functions")?;
    grow(module, table, functions.len());
    let kind = ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(i32::try_from(first)?)) };
    let element = module.elements.add(kind, ElementItems::Functions(functions));
    module.tables.get_mut(table).elem_segments.insert(element);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_lose_their_hashes_and_nothing_else() {
        for (name, want) in [
            (
                "<gambol[c5930c85a12de822]::render::Pass>::draw::{closure#0}",
                "gambol::render::Pass::draw::{closure#0}",
            ),
            ("<str as core[c5930c85a12de822]::fmt::Debug>::fmt", "<str as core::fmt::Debug>::fmt"),
            ("stage_addLayer multivalue shim", "stage_addLayer"),
            ("<[f32; N] as gambol::Element>::read", "<[f32; N] as gambol::Element>::read"),
            ("a::hand", "a::hand"),
        ] {
            assert_eq!(plain(name), want);
        }
    }
}
