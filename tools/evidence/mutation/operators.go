package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"hash/fnv"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"p256k1.mleku.dev/v2/tools/evidence/internal/locals"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

// A kind is a family of changes.
type kind string

const (
	arithmetic kind = "arithmetic"   // + − * & | ^ << >>, Add for Sub
	comparison kind = "comparison"   // < <= == != && || !
	constants  kind = "constant"     // one more, one less, a flipped bit, true for false
	carries    kind = "carry"        // carries of bits.Add64 and bits.Sub64, in or out
	checks     kind = "check"        // a condition, or one part of it, that always or never holds
	moves      kind = "select"       // a conditional move or a mask that always or never selects
	arguments  kind = "argument"     // neighbouring arguments of the same type are exchanged
	statements kind = "statement"    // a statement is left out
	calls      kind = "chained call" // a call in a chain of calls is left out
	returns    kind = "result"       // another result is returned
	errorsIs   kind = "error"        // an error that errors.Is no longer finds
)

// A mutant is the library with one small change.
type mutant struct {
	Package       string // its directory, "." for the root
	Func          string // the function or method, or the variable
	Kind          kind
	Before, After string // the lines changed, with marks of package locals
	N             int    // 2 for the second mutant with the same lines in the function, …

	unit  *unit
	edits []edit
	id    int    // identifier in a schema; 0 while it has none
	tags  string // the tags of the build that has it
}

// key identifies the mutant without line numbers.
func (m *mutant) key() string {
	k := fmt.Sprintf("%s %s: %s → %s", m.Package, m.Func, m.Before, m.After)
	if m.N > 1 {
		k += fmt.Sprintf(" #%d", m.N)
	}
	return k
}

// An edit replaces the bytes from, …, to − 1 of a file.
type edit struct {
	from, to int
	text     string
}

// A unit is the code that is copied for each of its mutants: a function, or the value of a package's variable. The
// value of a constant is mutated where the constant is used.
type unit struct {
	file  *source
	name  string
	node  ast.Node
	decl  *ast.FuncDecl // nil for values
	first int           // the identifier of its first mutant in a schema
}

// A source is a file of the library.
type source struct {
	*library
	file   *token.File
	syntax *ast.File
	text   []byte
}

// span returns the offsets of the beginning and the end of a node.
func (s *source) span(n ast.Node) (from, to int) {
	return s.file.Offset(n.Pos()), s.file.Offset(n.End())
}

// mutants returns the mutants of all functions and variables of s.
func (s *source) mutants() (all []*mutant) {
	file, _ := inspector.New([]*ast.File{s.syntax}).Root().FirstChild()
	for c := range file.Children() {
		switch d := c.Node().(type) {
		case *ast.FuncDecl:
			if d.Body != nil && d.Name.Name != "init" && d.Type.TypeParams == nil {
				all = append(all, (&unit{file: s, name: patch.Name(d), node: d, decl: d}).mutants(c)...)
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				v := spec.(*ast.ValueSpec)
				for i, value := range v.Values {
					if len(v.Names) == len(v.Values) && v.Names[i].Name != "_" {
						u := &unit{file: s, name: v.Names[i].Name, node: value}
						all = append(all, u.mutants(c.Child(v).Child(value))...)
					}
				}
			}
		}
	}
	return all
}

// mutants returns the mutants of a unit in the order of the text.
func (u *unit) mutants(c inspector.Cursor) []*mutant {
	g := &generator{source: u.file, unit: u, seen: map[string]bool{}, left: map[ast.Node]bool{}}
	if u.decl != nil {
		g.locals = locals.Of(u.decl)
	}
	c.Inspect(nil, g.visit)
	slices.SortStableFunc(g.found, func(a, b *mutant) int { return a.edits[0].from - b.edits[0].from })
	times := map[string]int{}
	for _, m := range g.found {
		times[m.key()]++
		m.N = times[m.key()]
	}
	return g.found
}

// generator collects the mutants of a unit.
type generator struct {
	*source
	unit   *unit
	locals *locals.Locals   // nil for values
	cursor inspector.Cursor // the node being visited
	found  []*mutant
	seen   map[string]bool   // the resulting texts
	left   map[ast.Node]bool // nodes that are left unchanged
}

// add adds the mutant with the given edits, unless another mutant has the same text or the edits leave the value of a
// constant unchanged.
func (g *generator) add(k kind, edits ...edit) {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	from, to := g.span(g.unit.node)
	text := apply(g.text, from, to, edits)
	if g.seen[text] || text == string(g.text[from:to]) || g.sameConstant(edits) {
		return
	}
	g.seen[text] = true
	first := g.file.Offset(g.file.LineStart(g.file.Line(g.file.Pos(edits[0].from))))
	last := edits[len(edits)-1].to
	rest, _, _ := bytes.Cut(g.text[last:], []byte("\n"))
	last += len(rest)
	mark := func(code string) string {
		if g.locals == nil {
			return brief(code)
		}
		return g.locals.Mark(brief(code), g.file.Pos(first), g.file.Pos(last))
	}
	g.found = append(g.found, &mutant{
		Package: g.dir,
		Func:    g.unit.name,
		Kind:    k,
		Before:  mark(string(g.text[first:last])),
		After:   mark(apply(g.text, first, last, edits)),
		unit:    g.unit,
		edits:   edits,
	})
}

// sameConstant reports whether the edits lie in a constant expression whose value they do not change.
func (g *generator) sameConstant(edits []edit) bool {
	var whole ast.Expr // the largest such expression, which is the last
	for c := range g.cursor.Enclosing() {
		e, ok := c.Node().(ast.Expr)
		if !ok || g.value(e) == nil {
			continue
		}
		from, to := g.span(e)
		if from <= edits[0].from && edits[len(edits)-1].to <= to {
			whole = e
		}
	}
	if whole == nil {
		return false
	}
	from, to := g.span(whole)
	v, err := types.Eval(g.Fset, g.Types, whole.Pos(), apply(g.text, from, to, edits))
	return err == nil && v.Value != nil && constant.Compare(v.Value, token.EQL, g.value(whole))
}

// value returns the value of a constant expression, and nil for other expressions.
func (g *generator) value(e ast.Expr) constant.Value { return g.TypesInfo.Types[e].Value }

func (g *generator) typeOf(e ast.Expr) types.Type { return g.TypesInfo.TypeOf(e) }

// apply returns text[from:to] with the edits, which must be in order and lie in this range.
func apply(text []byte, from, to int, edits []edit) string {
	var b strings.Builder
	for _, e := range edits {
		b.Write(text[from:e.from])
		b.WriteString(e.text)
		from = e.to
	}
	b.Write(text[from:to])
	return b.String()
}

// brief returns lines of code as one line. Of more than two lines, only the first and the last are kept.
func brief(code string) string {
	var lines []string
	for line := range strings.Lines(code) {
		if line, _, _ := strings.Cut(line, "//"); strings.TrimSpace(line) != "" { // no string of the library has two slashes
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	if len(lines) > 2 {
		lines = []string{lines[0], "…", lines[len(lines)-1]}
	}
	return strings.Join(lines, " ")
}

func (g *generator) code(n ast.Node) string {
	from, to := g.span(n)
	return string(g.text[from:to])
}

// replace adds the mutant with the node's text replaced; in the new text, X stands for the old text.
func (g *generator) replace(k kind, n ast.Node, text string) {
	from, to := g.span(n)
	if before, after, ok := strings.Cut(text, "X"); ok {
		// Make two insertions, so that the text in between is not repeated.
		g.add(k, edit{from, from, before}, edit{to, to, after})
		return
	}
	g.add(k, edit{from, to, text})
}

// operator adds a mutant for each of the operators others, which replaces the operator old at pos.
func (g *generator) operator(k kind, pos token.Pos, old token.Token, others ...token.Token) {
	from := g.file.Offset(pos)
	for _, other := range others {
		g.add(k, edit{from, from + len(old.String()), other.String()})
	}
}

// swap adds the mutant with the texts of two nodes exchanged.
func (g *generator) swap(k kind, a, b ast.Node) {
	aFrom, aTo := g.span(a)
	bFrom, bTo := g.span(b)
	g.add(k, edit{aFrom, aTo, g.code(b)}, edit{bFrom, bTo, g.code(a)})
}

// swapNeighbours adds, for each two neighbours of the same type, the mutant in which they are exchanged, unless skip is
// true for the index of the first neighbour.
func (g *generator) swapNeighbours(k kind, list []ast.Expr, skip func(i int) bool) {
	for i := 0; i+1 < len(list); i++ {
		a, b := g.typeOf(list[i]), g.typeOf(list[i+1])
		if a != nil && b != nil && types.Identical(types.Default(a), types.Default(b)) && !skip(i) {
			g.swap(k, list[i], list[i+1])
		}
	}
}

func never(int) bool { return false }

// operators maps operators to the operators that replace them. The operators of assignments are left out.
var operators = map[token.Token][]token.Token{
	token.ADD: {token.SUB},
	token.SUB: {token.ADD},
	token.MUL: {token.ADD},
	token.QUO: {token.MUL},
	token.REM: {token.QUO},
	token.AND: {token.OR, token.XOR},
	token.OR:  {token.AND, token.XOR},
	token.XOR: {token.AND, token.OR},
	token.SHL: {token.SHR},
	token.SHR: {token.SHL},
	token.INC: {token.DEC},
	token.DEC: {token.INC},
	token.LSS: {token.LEQ, token.GEQ},
	token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ},
	token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ},
	token.NEQ: {token.EQL},

	token.LAND:    {token.LOR},
	token.LOR:     {token.LAND},
	token.AND_NOT: {token.AND},
}

// unary lists the operators that are left out.
var unary = map[token.Token]kind{token.SUB: arithmetic, token.XOR: arithmetic, token.NOT: comparison}

// visit adds the mutants of a node and reports whether its children are to be visited.
func (g *generator) visit(c inspector.Cursor) bool {
	if g.left[c.Node()] {
		return false
	}
	g.cursor = c
	switch n := c.Node().(type) {
	case *ast.Ident:
		g.name(n, n)
	case *ast.SelectorExpr:
		g.name(n, n.Sel)
		if _, isPackage := g.TypesInfo.Uses[root(n.X)].(*types.PkgName); isPackage {
			return false
		}
	case *ast.BasicLit:
		if n.Kind == token.INT {
			g.number(n, constant.MakeFromLiteral(n.Value, n.Kind, 0))
		}
	case *ast.ArrayType, *ast.FieldList, *ast.CommentGroup:
		return false
	case *ast.UnaryExpr:
		if k := unary[n.Op]; k != "" {
			g.add(k, edit{g.file.Offset(n.OpPos), g.file.Offset(n.X.Pos()), ""})
		}
	case *ast.BinaryExpr:
		g.binary(n)
	case *ast.CallExpr:
		return g.call(n)
	case *ast.CompositeLit:
		if len(n.Elts) > 0 {
			if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
				g.swapNeighbours(arguments, n.Elts, never)
			}
		}
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); !ok || !g.wipes(call) {
			g.replace(statements, n, "if false { X }")
		}
	case *ast.DeferStmt:
		if !g.wipes(n.Call) {
			g.replace(statements, n, "if false { X }")
		}
	case *ast.BranchStmt, *ast.RangeStmt:
		g.replace(statements, n, "if false { X }")
	case *ast.IncDecStmt:
		g.operator(arithmetic, n.TokPos, n.Tok, operators[n.Tok]...)
		if !g.inHeader() {
			g.replace(statements, n, "if false { X }")
		}
	case *ast.AssignStmt:
		g.assign(n)
	case *ast.IfStmt:
		if v := g.value(n.Cond); v != nil {
			// The condition depends on the platform, and the other branch is not in this build.
			g.left[n.Cond] = true
			if constant.BoolVal(v) {
				g.left[n.Else] = n.Else != nil
			} else {
				g.left[n.Body] = true
			}
			break
		}
		g.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			g.replace(checks, n.Cond, "(X) && false")
		}
	case *ast.CaseClause:
		for _, e := range n.List {
			if is(g.typeOf(e), types.IsBoolean) {
				g.condition(e)
			}
		}
	case *ast.ReturnStmt:
		g.results(n)
	}
	return true
}

// condition adds the mutants in which a condition is evaluated but never or always holds.
func (g *generator) condition(e ast.Expr) {
	g.replace(checks, e, "(X) && false")
	g.replace(checks, e, "(X) || true")
}

// is reports whether t is a basic type with one of the properties.
func is(t types.Type, info types.BasicInfo) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// root returns e if it is an identifier, else nil.
func root(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}

// name adds the mutants of the use of a constant.
func (g *generator) name(n ast.Node, id *ast.Ident) {
	switch g.cursor.ParentEdgeKind() {
	case edge.SelectorExpr_Sel: // the selector was visited
		return
	case edge.KeyValueExpr_Key:
		if n == ast.Node(id) {
			return
		}
	}
	c, ok := g.TypesInfo.Uses[id].(*types.Const)
	if !ok {
		return
	}
	switch id.Name {
	case "true":
		g.replace(constants, n, "false")
	case "false":
		g.replace(constants, n, "true")
	default:
		if c.Val().Kind() == constant.Int {
			g.number(n, c.Val())
		}
	}
}

// number adds the mutants of an integer, which is written as a number or as the name of a constant. Small integers go
// up and down by one. Large numbers, which are limbs, change in their lowest bit, one bit between and, unless they have
// names, their highest bit.
func (g *generator) number(n ast.Node, v constant.Value) {
	x, ok := new(big.Int).SetString(v.ExactString(), 10)
	if !ok {
		return
	}
	lit, literal := n.(*ast.BasicLit)
	write := func(y *big.Int) {
		if literal && strings.HasPrefix(lit.Value, "0x") {
			g.replace(constants, n, fmt.Sprintf("%#0*x", len(lit.Value), y))
		} else if literal {
			g.replace(constants, n, y.String())
		}
	}
	bit := func(i int) *big.Int { return new(big.Int).Xor(x, new(big.Int).Lsh(big.NewInt(1), uint(i))) }
	h := fnv.New32a()
	fmt.Fprint(h, g.unit.name, x)
	random := int(h.Sum32())
	if c, ok := g.cursor.Parent().Node().(*ast.CompositeLit); ok {
		if t, ok := g.typeOf(c).Underlying().(*types.Array); ok && types.Identical(t.Elem(), types.Typ[types.Byte]) {
			write(bit(random % 8)) // in a list of many bytes, flip one bit
			return
		}
	}
	b, ok := g.cursor.Parent().Node().(*ast.BinaryExpr)
	if ok && b.Op == token.SHR && b.Y == n && x.Int64() == 63 && !is(g.typeOf(b.X), types.IsUnsigned) {
		return // a mask of the sign; a shift by 62 or 64 gives the same mask unless the number has more than 62 bits
	}
	switch {
	case x.Sign() < 0 || x.BitLen() > 64:
	case x.BitLen() <= 16 && literal:
		write(new(big.Int).Add(x, big.NewInt(1)))
		if x.Sign() > 0 {
			write(new(big.Int).Sub(x, big.NewInt(1)))
		}
	case literal:
		write(bit(0))
		write(bit(1 + random%(x.BitLen()-2)))
		write(bit(x.BitLen() - 1))
	case x.BitLen() <= 16:
		g.replace(constants, n, "(X + 1)")
		g.replace(constants, n, "(X - 1)")
	default:
		g.replace(constants, n, "(X ^ 1)")
		g.replace(constants, n, fmt.Sprintf("(X ^ 1<<%d)", 1+random%(x.BitLen()-2)))
	}
}

func (g *generator) binary(n *ast.BinaryExpr) {
	t := g.typeOf(n)
	switch n.Op {
	case token.LAND, token.LOR:
		// Leave out one of the two operands: replace it by the value with which the other operand decides.
		none := map[token.Token]string{token.LAND: "((X) || true)", token.LOR: "((X) && false)"}[n.Op]
		g.replace(checks, n.X, none)
		g.replace(checks, n.Y, none)
		fallthrough
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		g.operator(comparison, n.OpPos, n.Op, operators[n.Op]...)
	default:
		if !is(t, types.IsInteger) {
			return
		}
		if n.Op == token.AND && g.value(n) == nil {
			for _, side := range []struct{ mask, other ast.Expr }{{n.X, n.Y}, {n.Y, n.X}} {
				if g.isMask(side.mask) {
					from, to := g.span(side.mask)
					// Replace the mask by all ones, and by all zeros.
					x := g.code(side.mask)
					g.add(moves, edit{from, to, "(" + x + "|^(" + x + "&0))"})
					g.add(moves, edit{from, to, "(" + x + "&0)"})
				}
			}
		}
		others := operators[n.Op]
		if n.Op == token.OR && isPart(n.X) && isPart(n.Y) {
			others = others[:1]
		}
		g.operator(arithmetic, n.OpPos, n.Op, others...)
	}
}

// isPart reports whether e is a part of a word, separated by shifts or masks. Parts have no bit in common, so | and ^
// join them in the same way.
func isPart(e ast.Expr) bool {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
		switch b.Op {
		case token.SHL, token.SHR, token.AND:
			return true
		case token.OR:
			return isPart(b.X) && isPart(b.Y)
		}
	}
	return false
}

// isMask reports whether e, an operand of &, may be a mask: a variable or its negation.
func (g *generator) isMask(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		e = ast.Unparen(u.X)
	}
	_, ok := e.(*ast.Ident)
	return ok && g.value(e) == nil
}

// commutative lists functions whose result stays the same, though maybe in other limbs, if the argument with the given
// index and the next one are exchanged. addProducts has a pair of factors at each odd index.
var commutative = map[string]int{
	"Add64": 0, "Mul64": 0, "min": 0, "max": 0, "Mul": 0, "Add": 0, "AddVartime": 0, "Equal": 0, "mulShift384": 0,
	"FMA": 0, "product": 0, "productPlus": 0, "productMinus": 0, "sum": 0, "plus": 0, "mul": 1, "mulVartime": 1,
	"mulGeneric": 1, "mulWide": 1, "mulAddSigned": 2,
}

// call adds the mutants of a call and reports whether its operands are to be visited.
func (g *generator) call(n *ast.CallExpr) bool {
	fun := ast.Unparen(n.Fun)
	if t := g.TypesInfo.Types[fun]; t.IsType() {
		return true // a conversion
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
		if p := root(fun.X); p != nil && p.Name == "fmt" {
			// Messages are not mutated, but the wrapping of errors is.
			if id.Name == "Errorf" {
				if i := strings.Index(g.code(n.Args[0]), "%w"); i >= 0 {
					from, _ := g.span(n.Args[0])
					g.add(errorsIs, edit{from + i, from + i + 2, "%v"})
				}
			}
			return false
		}
	default:
		return true
	}
	if id.Name == "panic" && g.TypesInfo.Uses[id] == types.Universe.Lookup("panic") {
		return false
	}

	// Leave out a carry in. The method assign leaves out carries out.
	if isCarry(id) && len(n.Args) == 3 && g.value(n.Args[2]) == nil {
		g.replace(carries, n.Args[2], "(X&0)")
	}
	// Make a conditional move always or never select.
	if (id.Name == "Select" || id.Name == "CondNegate") && len(n.Args) > 1 {
		mask := n.Args[len(n.Args)-1]
		g.replace(moves, mask, "(X)&0")
		g.replace(moves, mask, "(X)|^0") // for an int whose lowest bit counts
		g.replace(moves, mask, "(X)|^uint64(0)")
	}
	// Exchange neighbouring arguments of the same type.
	if !n.Ellipsis.IsValid() {
		same, ok := commutative[id.Name]
		g.swapNeighbours(arguments, n.Args, func(i int) bool {
			return (ok && i == same) || (i == 1 && isCarry(id)) || (id.Name == "addProducts" && i%2 == 1)
		})
	}
	// Replace Add by Sub, and the like.
	for _, pair := range [][2]string{{"Add", "Sub"}, {"Sub", "Add"}, {"Add64", "Sub64"}, {"Sub64", "Add64"}} {
		if id.Name == pair[0] && g.has(fun, pair[1]) {
			g.replace(arithmetic, id, pair[1])
		}
	}
	// Leave out a method call whose result has the type of the receiver and is used: replace it by the receiver.
	if s, ok := fun.(*ast.SelectorExpr); ok {
		method := g.TypesInfo.Selections[s]
		if method != nil && g.cursor.ParentEdgeKind() != edge.ExprStmt_X && types.Identical(pointer(method.Recv()), pointer(g.typeOf(n))) {
			from, to := g.span(s.X)
			_, end := g.span(n)
			open, shut := "", ""
			if _, isPointer := g.typeOf(s.X).(*types.Pointer); !isPointer {
				open, shut = "(&", ")"
			}
			g.add(calls, edit{from, from, open}, edit{to, end, shut})
		}
	}
	return true
}

func isCarry(id *ast.Ident) bool { return id.Name == "Add64" || id.Name == "Sub64" }

// has reports whether fun, a qualified function or a method, has a sibling with the given name and the same type.
func (g *generator) has(fun ast.Expr, name string) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	var o types.Object
	if p, ok := g.TypesInfo.Uses[root(s.X)].(*types.PkgName); ok {
		o = p.Imported().Scope().Lookup(name)
	} else {
		o, _, _ = types.LookupFieldOrMethod(g.typeOf(s.X), true, g.Types, name)
	}
	return o != nil && types.Identical(o.Type(), g.typeOf(fun))
}

// pointer returns *t, and t itself if it is a pointer.
func pointer(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if _, ok := t.(*types.Pointer); ok {
		return t
	}
	return types.NewPointer(t)
}

// wipes reports whether a call wipes secrets: clear of bytes, a method Zero, or secret.Zero. Such calls are not
// mutated, because only a search of memory, tools/evidence/residue, would notice the change.
func (g *generator) wipes(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		if fun.Name != "clear" || len(call.Args) != 1 {
			return false
		}
		t, ok := g.typeOf(call.Args[0]).Underlying().(*types.Slice)
		return ok && types.Identical(t.Elem(), types.Typ[types.Byte])
	case *ast.SelectorExpr:
		x := root(fun.X)
		return fun.Sel.Name == "Zero" && (len(call.Args) == 0 || (x != nil && x.Name == "secret"))
	}
	return false
}

// inHeader reports whether the visited statement is in the header of a loop or a condition.
func (g *generator) inHeader() bool {
	switch g.cursor.Parent().Node().(type) {
	case *ast.ForStmt, *ast.IfStmt, *ast.SwitchStmt:
		return true
	}
	return false
}

func (g *generator) assign(n *ast.AssignStmt) {
	if n.Tok != token.DEFINE && !g.inHeader() {
		g.replace(statements, n, "if false { X }")
	}
	if token.ADD_ASSIGN <= n.Tok && n.Tok <= token.AND_NOT_ASSIGN && is(g.typeOf(n.Lhs[0]), types.IsInteger) {
		const assignment = token.ADD_ASSIGN - token.ADD
		for _, other := range operators[n.Tok-assignment] {
			if n.Tok != token.OR_ASSIGN || other != token.XOR || !isPart(n.Rhs[0]) {
				g.operator(arithmetic, n.TokPos, n.Tok, other+assignment)
			}
		}
	}
	if len(n.Rhs) > 1 {
		g.swapNeighbours(arguments, n.Rhs, never)
	}
	_, called, out := wide(n)
	if called == nil || g.inHeader() {
		return
	}
	if isCarry(called) && out != nil && out.Name != "_" && !g.nextTakes(out.Name) {
		g.replace(carries, n, "X; "+out.Name+" = 0")
	}
	if called.Name == "Mul64" {
		g.swap(arguments, n.Lhs[0], n.Lhs[1])
	}
}

// wide returns the call in an assignment of two results, such as the results of bits.Add64, the name of the function
// and the name of the second variable.
func wide(n ast.Node) (call *ast.CallExpr, called, out *ast.Ident) {
	a, ok := n.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 || len(a.Rhs) != 1 {
		return nil, nil, nil
	}
	if call, ok = a.Rhs[0].(*ast.CallExpr); ok {
		if s, ok := call.Fun.(*ast.SelectorExpr); ok {
			return call, s.Sel, root(a.Lhs[1])
		}
	}
	return nil, nil, nil
}

// nextTakes reports whether the statement after the visited one takes the carry and then replaces it. If so, the mutant
// of that statement without a carry in is the same as the mutant of the visited one without a carry out.
func (g *generator) nextTakes(carry string) bool {
	next, ok := g.cursor.NextSibling()
	if !ok {
		return false
	}
	call, _, out := wide(next.Node())
	if call == nil || len(call.Args) != 3 || out == nil {
		return false
	}
	taken := root(call.Args[2])
	return taken != nil && taken.Name == carry && (out.Name == carry || out.Name == "_")
}

func (g *generator) results(n *ast.ReturnStmt) {
	if i := len(n.Results) - 1; i > 0 && isError(g.typeOf(n.Results[i])) {
		// Values that are returned with an error have no meaning.
		for _, e := range n.Results[:i] {
			g.left[e] = true
		}
	}
	if len(n.Results) > 1 {
		g.swapNeighbours(returns, n.Results, never)
	}
	for _, e := range n.Results {
		if g.left[e] {
			continue
		}
		t := g.typeOf(e)
		if _, tuple := t.(*types.Tuple); tuple || g.value(e) != nil || g.TypesInfo.Types[e].IsNil() {
			continue
		}
		_, isPointer := t.(*types.Pointer)
		switch {
		case isError(t) || isPointer:
			g.replace(returns, e, "nil")
		case is(t, types.IsBoolean):
			g.condition(e)
		case is(t, types.IsInteger):
			g.replace(returns, e, "(X) & 0")
			g.replace(returns, e, "(X) ^ 1")
		}
	}
}
